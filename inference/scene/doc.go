// Package scene knows what a picture shows and how each document in it lies: what lies on it, how well it can be seen, its flat view, its
// lines of text and, where these run askew or out of it, its better outline.
package scene
