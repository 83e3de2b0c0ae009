package configs

// Face configures how faces are compared.
type Face struct {
	// FMR is the share of pairs of different persons that may match, as "0.1%".
	FMR string `mapstructure:"fmr"`
	// Attempts is how many face matches and liveness checks a transaction may have.
	Attempts int `mapstructure:"attempts"`
}

// Percent is the rate in per cent.
func (f Face) Percent() float64 {
	return map[string]float64{"1%": 1, "0.1%": 0.1, "0.01%": 0.01}[f.FMR]
}

func faceKeys() []key {
	return []key{
		{
			path: "face.fmr", fallback: "0.1%", choices: []string{"1%", "0.1%", "0.01%"},
			doc:  "share of pairs of different persons that may match (false match rate)",
			hint: "0.01% refuses more of the right persons, 1% lets more of the wrong ones pass",
		},
		{
			path: "face.attempts", fallback: "10", kind: number, lo: 1, hi: 1000,
			doc:  "face matches and liveness checks that a transaction may have; further ones are answered 4104",
			hint: "a person needs one to three; each one more is another try for somebody who is not the holder",
		},
	}
}
