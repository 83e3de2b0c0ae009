package configs

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Kiosk configures the page for the customer at the touch screen: the flow, its words and its looks.
type Kiosk struct {
	Enabled bool `mapstructure:"enabled"`
	// Kinds are the documents that are taken, Steps what follows the front, in the order of the flow.
	Kinds []string `mapstructure:"kinds"`
	Steps []string `mapstructure:"steps"`
	// Show names the fields that the customer may see, Must those that have to be read without a code.
	Show     []string `mapstructure:"show"`
	Must     []string `mapstructure:"must"`
	Attempts int      `mapstructure:"attempts"`
	// Timeout ends a step, LastTimeout the last screen.
	Timeout     time.Duration `mapstructure:"timeout"`
	LastTimeout time.Duration `mapstructure:"last_timeout"`
	Camera      string        `mapstructure:"camera"`
	// Languages are offered in this order; the first one greets.
	Languages []string  `mapstructure:"languages"`
	Accent    string    `mapstructure:"accent"`
	Scheme    string    `mapstructure:"scheme"`
	Logo      string    `mapstructure:"logo"`
	Sound     bool      `mapstructure:"sound"`
	Text      KioskText `mapstructure:"text"`
}

// KioskText holds the operator's own words in each language.
type KioskText struct {
	Arabic  KioskWords `mapstructure:"ar"`
	English KioskWords `mapstructure:"en"`
}

// KioskWords are the operator's own words; "" leaves the page's.
type KioskWords struct {
	Title     string `mapstructure:"title"`
	Welcome   string `mapstructure:"welcome"`
	Done      string `mapstructure:"done"`
	Colleague string `mapstructure:"colleague"`
}

// KioskKinds are the documents that the kiosk can take, each named as its people name it.
func KioskKinds() []string { return []string{"national_id", "passport", "driving_license"} }

// KioskSteps are what may follow the front of a document, in the order of the flow.
func KioskSteps() []string { return []string{"back", "check", "face"} }

// KioskFields are the fields of the documents that the kiosk takes.
func KioskFields() []string {
	return []string{
		"name", "address", "first_name", "last_names", "first_name_english", "last_names_english", "govern", "idKey", "address_1", "address_2",
		"idNumber", "gender", "dateOfBirth", "job", "jobTitle", "religion", "maritalStatus", "husbandName", "releaseDate", "idExpiry",
		"country_code", "doc_Type", "nationality", "passport_no", "Date_of_Birth", "Date_of_Expiry", "licenseType", "nameArabic", "nameEnglish",
		"nationalID", "nationalityArabic", "nationalityEnglish", "trafficUnit1", "trafficUnit2", "special1", "expiryDate", "issuenceDate",
	}
}

// oneOf says why an item is not one of a few.
func oneOf(choices []string) func(string) string {
	return func(item string) string {
		if slices.Contains(choices, item) {
			return ""
		}
		return "choose from " + strings.Join(choices, ", ")
	}
}

func kioskKeys() []key {
	return slices.Concat([]key{
		{
			path: "kiosk.enabled", fallback: "false", kind: truth,
			doc: "serve the page `/kiosk/` for the customer at the touch screen", hint: "then let each screen in with `bawab keys screen`",
		},
		{
			path: "kiosk.kinds", fallback: "national_id, passport, driving_license", kind: list, each: oneOf(KioskKinds()),
			doc:  "documents that the kiosk takes, in the order of its buttons: national_id, passport, driving_license",
			hint: "write [national_id] for IDs alone",
		},
		{
			path: "kiosk.steps", fallback: "back, check, face", kind: list, each: oneOf(KioskSteps()),
			doc:  "what follows the front of a document: back (of IDs), check (the customer looks at what was read), face (liveness and comparison)",
			hint: "leave out what your process does not need",
		},
		{
			path: "kiosk.show", fallback: "name, nameArabic", kind: list, each: oneOf(KioskFields()),
			doc:  "fields that the customer is shown in the step check; no other value reaches the screen",
			hint: "write names of fields as the API has them, as [name, idNumber]",
		},
		{
			path: "kiosk.must", fallback: "name, nameArabic, idNumber, nationalID, passport_no", kind: list, each: oneOf(KioskFields()),
			doc:  "fields that must be read without a code; else the customer is asked again, and then sent to a colleague",
			hint: "write names of fields as the API has them",
		},
		{
			path: "kiosk.attempts", fallback: "3", kind: number, lo: 1, hi: 10,
			doc:  "readings, or looks at a face, after which a step gives up and sends the customer to a colleague",
			hint: "face checks are also bounded by face.attempts",
		},
		{
			path: "kiosk.timeout", fallback: "1m0s", kind: duration, lo: int64(5 * time.Second), hi: int64(10 * time.Minute),
			doc:  "how long a step waits for the customer, who is asked before it ends; then the transaction is erased at once",
			hint: "write a duration with its unit, as 60s",
		},
		{
			path: "kiosk.last_timeout", fallback: "15s", kind: duration, lo: int64(2 * time.Second), hi: int64(5 * time.Minute),
			doc: "how long the last screen stays", hint: "write a duration with its unit, as 15s",
		},
		{
			path: "kiosk.camera", fallback: "auto", choices: []string{"auto", "appliance", "browser"},
			doc:  "auto: the appliance's own camera where camera.device names one, else that of the screen's browser",
			hint: "only the appliance's own camera can prove where frames come from",
		},
		{
			path: "kiosk.languages", fallback: "ar, en", kind: list, each: oneOf([]string{"ar", "en"}),
			doc: "languages of the kiosk; the first one greets", hint: "write [ar, en]",
		},
		{
			path: "kiosk.accent", fallback: "#0f766e",
			doc:  "colour of buttons and rings, as #rrggbb; the text on them is black or white, whichever is easier to read",
			hint: "write it in quotes, \"#0f766e\"",
		},
		{
			path: "kiosk.scheme", fallback: "light", choices: []string{"light", "dark"},
			doc: "light or dark screen", hint: "dark suits a dim hall",
		},
		{
			path: "kiosk.logo", optional: true,
			doc: "file of the logo, SVG, PNG or WebP of at most 256 KiB; empty for none", hint: "name a whole path",
		},
		{
			path: "kiosk.sound", fallback: "false", kind: truth,
			doc: "a short tone when a picture was taken and at the end", hint: "leave it off where many screens stand side by side",
		},
	}, kioskWords("ar", "Arabic"), kioskWords("en", "English"))
}

// kioskWords are the keys of the operator's own words in one language.
func kioskWords(code, language string) (out []key) {
	for _, w := range []struct{ name, doc string }{
		{"title", "line at the top of the kiosk's page"},
		{"welcome", "sentence of the first screen"},
		{"done", "sentence of the last screen after a check without doubts"},
		{"colleague", "sentence of the last screen after a check that a person must look at"},
	} {
		out = append(out, key{
			path: "kiosk.text." + code + "." + w.name, optional: true,
			doc: w.doc + ", in " + language + "; empty for the page's own words", hint: "at most 200 characters",
		})
	}
	return out
}

var colour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// validate returns what is wrong with the keys of the kiosk.
func (k Kiosk) validate(c Camera) (problems []Problem) {
	add := func(path, value, msg, hint string) {
		problems = append(problems, Problem{Path: "kiosk." + path, Value: value, Msg: msg, Hint: hint})
	}
	if !colour.MatchString(k.Accent) {
		add("accent", k.Accent, "must be a colour as #rrggbb", "write it in quotes, \"#0f766e\"")
	}
	for name, list := range map[string][]string{"kinds": k.Kinds, "languages": k.Languages} {
		if len(list) == 0 {
			add(name, "", "must not be empty", "leave the key out for its default")
		}
	}
	for name, list := range map[string][]string{"kinds": k.Kinds, "languages": k.Languages, "steps": k.Steps} {
		if sorted := slices.Sorted(slices.Values(list)); len(slices.Compact(sorted)) != len(list) {
			add(name, strings.Join(list, ", "), "must name each item once", "take the second one out")
		}
	}
	if k.Logo != "" && !filepath.IsAbs(k.Logo) {
		add("logo", k.Logo, "must be a whole path", "begin it with /")
	}
	if k.Enabled && k.Camera == "appliance" && c.Device == "" {
		add("camera", k.Camera, "needs a camera in camera.device", "name one there, or write auto")
	}
	for code, w := range map[string]KioskWords{"ar": k.Text.Arabic, "en": k.Text.English} {
		for name, s := range map[string]string{"title": w.Title, "welcome": w.Welcome, "done": w.Done, "colleague": w.Colleague} {
			if utf8.RuneCountInString(s) > 200 {
				add("text."+code+"."+name, s, "must have at most 200 characters", "say it shorter")
			}
		}
	}
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return problems
}
