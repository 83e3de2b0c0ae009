package daemon

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
)

// The console says in Arabic what each setting means and takes, and the catalogue has no meaning that no setting has.
func TestSettingsAreTranslated(t *testing.T) {
	b, err := os.ReadFile("../appliance/texts.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts struct {
		Settings map[string]string `json:"settings"`
	}
	if err := json.Unmarshal(b, &texts); err != nil {
		t.Fatal(err)
	}
	loaded, err := configs.Load(configs.Sources{})
	if err != nil {
		t.Fatal(err)
	}
	d := &daemon{loaded: loaded}
	english, arabic := d.roomSettings(appliance.English), d.roomSettings(appliance.Arabic)
	said := map[string]bool{}
	for i, s := range loaded.Settings() {
		said[s.Meaning], said[s.Allowed.Format] = true, true
		if english[i].Meaning != s.Meaning || english[i].Allowed != s.Allowed.String() {
			t.Errorf("%s: %+v in English", s.Path, english[i])
		}
		if arabic[i].Meaning != texts.Settings[s.Meaning] || arabic[i].Meaning == "" || arabic[i].Allowed == english[i].Allowed {
			t.Errorf("%s is not translated: %+v", s.Path, arabic[i])
		}
	}
	if len(said) < 60 {
		t.Fatalf("found %d texts", len(said))
	}
	for text := range texts.Settings {
		if !said[text] {
			t.Errorf("texts.json has %q, which no setting means", text)
		}
	}
}
