package models

import "embed"

//go:embed figures/*.json
var figures embed.FS

// Figures returns what the networks of the program were measured at, by the name of the file in the folder figures. The page beside the
// networks that it is about says on what and how.
func Figures(name string) ([]byte, error) { return figures.ReadFile("figures/" + name) }
