// Package face finds faces, measures how well a picture shows them, compares them, takes the portraits of documents, and
// judges by its networks, and by what package burst says of the frames, whether a burst shows a living person.
package face
