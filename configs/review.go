package configs

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// Review configures which pictures are kept for people to look at.
type Review struct {
	// Keep is for how many days; 0 keeps none.
	Keep int `mapstructure:"keep"`
	// Kinds are kinds of documents, kinds/NAME for one that a model pack brings, and face_match and liveness; none stands for all documents.
	Kinds []string `mapstructure:"kinds"`
	// Share is how many of 100 are kept.
	Share int `mapstructure:"share"`
	// Flagged keeps only what raised a doubt.
	Flagged bool `mapstructure:"flagged"`
	// Room bounds the pictures together, Looks is how many looks a minute one key may have.
	Room  Bytes `mapstructure:"room"`
	Looks int   `mapstructure:"looks"`
}

// Lasts is how long a picture is kept.
func (r Review) Lasts() time.Duration { return time.Duration(r.Keep) * 24 * time.Hour }

// packKind is how review.kinds names a kind that a model pack brings: as its path does. A slip in the name of another one is no such kind.
var packKind = regexp.MustCompile(`^kinds/[A-Za-z][A-Za-z0-9_]{0,39}$`)

// PackKind is the name of a kind that a model pack brings, "" where an item names none.
func PackKind(item string) string {
	if !packKind.MatchString(item) {
		return ""
	}
	return strings.TrimPrefix(item, "kinds/")
}

// ReviewKinds are the kinds that review.kinds takes beside those.
func ReviewKinds() []string {
	return []string{
		"national_id_front", "national_id_back", "car_license_front", "car_license_back", "passport", "driving_license", "license_plate",
		"unknown", "face_match", "liveness",
	}
}

func badReviewKind(item string) string {
	if slices.Contains(ReviewKinds(), item) || PackKind(item) != "" {
		return ""
	}
	return item + " is none of " + strings.Join(ReviewKinds(), ", ") + ", and no kinds/NAME of a model pack"
}

func reviewKeys() []key {
	return []key{
		{
			path: "review.keep", fallback: "0", kind: number, lo: 0, hi: 90,
			doc:  "days for which pictures are kept, sealed, for people to review; 0 keeps none",
			hint: "write a number of days; read docs/operations/review.md first",
		},
		{
			path: "review.kinds", kind: list, each: badReviewKind,
			doc: "kinds whose pictures are kept; by default all kinds of documents, those of model packs and unknown ones too; " +
				"face_match and liveness only where they are named; kinds/NAME is the kind NAME of a model pack",
			hint: "write kinds, as [national_id_front, kinds/student_card]",
		},
		{
			path: "review.share", fallback: "100", kind: number, lo: 1, hi: 100,
			doc:  "how many of 100 of these pictures are kept, drawn by chance",
			hint: "write a number of per cent",
		},
		{
			path: "review.flagged", fallback: "true", kind: truth,
			doc:  "keep only what raised a doubt; false keeps the rest too, without which nobody learns what is wrong and not flagged",
			hint: "write false to measure, with a small review.share",
		},
		{
			path: "review.room", fallback: "1GiB", kind: size, lo: 16 << 20, hi: 1 << 40,
			doc:  "room of all pictures for review; above it no more are kept, and requests are answered all the same",
			hint: "write a size, as 1GiB",
		},
		{
			path: "review.looks", fallback: "60", kind: number, lo: 1, hi: 10_000,
			doc:  "looks at readings and pictures that one API key may have a minute",
			hint: "a clerk needs two for a document",
		},
	}
}

// validate finds what one kiosk cannot promise: that who is erased anywhere in a branch is erased here.
func (r Review) validate(driver string) []Problem {
	if r.Keep == 0 || driver == DriverBolt {
		return nil
	}
	return []Problem{{
		Path: "review.keep", Value: "more than 0",
		Msg:  "cannot be with store.driver " + driver + ": a transaction that another kiosk erases would leave its pictures here",
		Hint: "keep pictures on a kiosk that keeps its transactions itself",
	}}
}
