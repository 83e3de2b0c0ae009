// Package egypt gives the document engine what Egyptian documents are made of: numbers, dates, vocabularies and wordings of
// appliance/egypt, as decoders that descriptions name.
package egypt
