package configs

// Face configures how faces are compared.
type Face struct {
	// FMR is the share of pairs of different persons that may match, as "0.1%".
	FMR string `mapstructure:"fmr"`
}

// Percent is the rate in per cent.
func (f Face) Percent() float64 {
	return map[string]float64{"1%": 1, "0.1%": 0.1, "0.01%": 0.01}[f.FMR]
}

func faceKeys() []key {
	return []key{
		{path: "face.fmr", fallback: "0.1%", choices: []string{"1%", "0.1%", "0.01%"},
			doc:  "share of pairs of different persons that may match (false match rate)",
			hint: "0.01% refuses more of the right persons, 1% lets more of the wrong ones pass"},
	}
}
