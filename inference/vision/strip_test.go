package vision

import (
	"encoding/hex"
	"testing"
)

// TestNormalizeStripMatchesTraining proves that a strip is normalised exactly as in training: the expected values were
// computed by normalise of bawab_training.photograph.mrz_lines.
func TestNormalizeStripMatchesTraining(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{
			"full range",
			"3c5e81b40c5ec68e04a3406c97d63cfbdc53ae88371a125121b5956143c0ee2d55fb638c77fee0b6",
			"33577db30057c68b00a1376694d833ffde4cad842e0f064a16b4925b3bc0f1234eff5d8972ffe2b5",
		},
		{
			"narrow",
			"64756c6d676e70647276646b69657672676b6f6b706e6d7767766a7576727069746e6564666c7677",
			"00f171802b8eaa00c6ff0063470effc62b639c63aa8e80ff2bff55f1ffc6aa47e38e0e001c71ffff",
		},
		{
			"flat",
			"4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d",
			"00000000000000000000000000000000000000000000000000000000000000000000000000000000",
		},
		{
			"two levels",
			"c8c8c8c8c8c8c8c828c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c828",
			"ffffffffffffffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00",
		},
		{
			"dark end",
			"02050406000500020406050404050703020304010206000404000305050505050106040200030401",
			"20504060005000204060504040507030203040102060004040003050505050501060402000304010",
		},
		{
			"bright end",
			"fefbfefafbfdfcfefffafffefcfbfffafcfdfafff9fdfbfcfcfcf9fdfcfefefafefdf9fefafefcfe",
			"50205010204030506010605030206010304010600040203030300040305050105040005010503050",
		},
		{"empty", "", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			pix, err := hex.DecodeString(tc.in)
			if err != nil {
				t.Fatal(err)
			}
			NormalizeStrip(pix)
			if got := hex.EncodeToString(pix); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}
