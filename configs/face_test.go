package configs

import "testing"

// Every rate that the configuration offers is a number, and the default is one in a thousand.
func TestFaceRates(t *testing.T) {
	for _, k := range faceKeys() {
		for _, choice := range k.choices {
			if (Face{FMR: choice}).Percent() <= 0 {
				t.Errorf("%s: %s is no rate", k.path, choice)
			}
		}
	}
	c, err := Load(Sources{Flags: map[string]string{"data": t.TempDir()}})
	if err != nil || c.Face.Percent() != 0.1 || c.Face.Attempts != 10 {
		t.Errorf("default %+v, %v", c, err)
	}
}
