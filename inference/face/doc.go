// Package face finds faces, measures how well a picture shows them, compares them, takes the portraits of documents, and
// judges whether a burst of frames shows a living person.
package face
