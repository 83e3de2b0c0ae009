package console_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/console"
)

// get asks the pages for a path.
func get(t *testing.T, path string, header map[string]string) *http.Response {
	t.Helper()
	h, err := console.New()
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

var asset = regexp.MustCompile(`/console/assets/[^"')\s]+`)

// Each page has a policy without inline script or eval, and all that it names is served, kept for ever, and of the appliance itself.
func TestPages(t *testing.T) {
	for _, path := range []string{"/", "/console/", "/kiosk/"} {
		r := get(t, path, nil)
		policy := r.Header.Get("Content-Security-Policy")
		if r.StatusCode != http.StatusOK || r.Header.Get("Cache-Control") != "no-cache" || strings.Contains(policy, "unsafe") ||
			!strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "require-trusted-types-for 'script'") {
			t.Errorf("%s: %d, %v", path, r.StatusCode, r.Header)
		}
		page := text(t, r)
		named := asset.FindAllString(page, -1)
		if len(named) != 3 || strings.Contains(page, "://") || strings.Contains(page, "{") {
			t.Errorf("%s names %v:\n%s", path, named, page)
		}
		for _, file := range named {
			if r := get(t, file, nil); r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: %d, %v", file, r.StatusCode, r.Header)
			}
		}
	}
}

// A page that a browser has is not sent again, and one that it has not is sent compressed.
func TestCache(t *testing.T) {
	tag := get(t, "/", nil).Header.Get("ETag")
	if r := get(t, "/", map[string]string{"If-None-Match": tag}); tag == "" || r.StatusCode != http.StatusNotModified {
		t.Errorf("with the tag %s: %d", tag, r.StatusCode)
	}
	script := asset.FindString(text(t, get(t, "/console/", nil)))
	r := get(t, script, map[string]string{"Accept-Encoding": "gzip"})
	if r.Header.Get("Content-Encoding") != "gzip" && !strings.HasSuffix(script, ".svg") {
		t.Errorf("%s came as %v", script, r.Header)
	}
}

// The console's first view, with every face, stays below 150 KB as it is sent.
func TestFirstView(t *testing.T) {
	const most = 150 << 10
	page := text(t, get(t, "/console/", nil))
	files := append(asset.FindAllString(page, -1), "/console/")
	for _, file := range slices.Clone(files) {
		if strings.HasSuffix(file, ".css") {
			files = append(files, asset.FindAllString(text(t, get(t, file, nil)), -1)...)
		}
	}
	sent := 0
	for _, file := range files {
		sent += len(text(t, get(t, file, map[string]string{"Accept-Encoding": "gzip"})))
	}
	if sent > most || len(files) < 8 {
		t.Errorf("%d files of together %d bytes are sent, at most %d", len(files), sent, most)
	}
	t.Logf("%d files, %d bytes", len(files), sent)
}

// A compressed file is the file.
func TestCompressed(t *testing.T) {
	for _, file := range asset.FindAllString(text(t, get(t, "/console/", nil)), -1) {
		r := get(t, file, map[string]string{"Accept-Encoding": "gzip"})
		if r.Header.Get("Content-Encoding") != "gzip" {
			continue
		}
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(unpacked)
		if err != nil || string(got) != text(t, get(t, file, nil)) {
			t.Errorf("%s differs after compression: %v", file, err)
		}
	}
}

// catalogue reads the texts of a language.
func catalogue(t *testing.T, language string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("web", "text", language+".json"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(b, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

var blank = regexp.MustCompile(`\{\w+\}`)

// blanks lists the blanks of a text in a fixed order.
func blanks(text string) []string {
	found := blank.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

// Both languages have every text, with the same blanks, and the Arabic one is Arabic.
func TestCatalogues(t *testing.T) {
	en, ar := catalogue(t, "en"), catalogue(t, "ar")
	if len(en) < 200 {
		t.Fatalf("found %d texts: the reading is broken", len(en))
	}
	for name := range maps.Keys(ar) {
		if en[name] == "" {
			t.Errorf("%s has no English text", name)
		}
	}
	arabic := regexp.MustCompile(`\p{Arabic}`)
	for name, text := range en {
		if ar[name] == "" {
			t.Errorf("%s has no Arabic text", name)
		} else if !slices.Equal(blanks(text), blanks(ar[name])) {
			t.Errorf("%s has the blanks %v in English and %v in Arabic", name, blanks(text), blanks(ar[name]))
		}
		if !arabic.MatchString(ar[name]) && !strings.HasPrefix(name, "tab.") && name != "lang.other" {
			t.Errorf("%s is not Arabic: %s", name, ar[name])
		}
	}
}

// Every text that a page asks for by its name is in the catalogues, and no page holds a text of its own.
func TestTextsAsked(t *testing.T) {
	en, asked := catalogue(t, "en"), 0
	name := regexp.MustCompile(`\bt\("([^"]+)"`)
	words := regexp.MustCompile(`(?m)^\s+[A-Z][a-z]+ [a-z ]+[.a-z]$|>[A-Z][a-z]+ [a-z ]+<`)
	err := filepath.WalkDir("web", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".tsx" && filepath.Ext(path) != ".ts" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range name.FindAllStringSubmatch(string(source), -1) {
			asked++
			if en[m[1]] == "" {
				t.Errorf("%s asks for %q, which no catalogue has", path, m[1])
			}
		}
		if own := words.FindString(string(source)); own != "" {
			t.Errorf("%s holds the text %q", path, own)
		}
		return nil
	})
	if err != nil || asked < 100 {
		t.Errorf("%d texts are asked for: %v", asked, err)
	}
}

// The pages have words for everything that the API names: codes, with the way out, fields, kinds, endpoints, reasons and scopes.
func TestVocabulary(t *testing.T) {
	en := catalogue(t, "en")
	var names []string
	b, err := os.ReadFile(filepath.Join("..", "texts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts struct{ Answers, Fields map[string]any }
	if err := json.Unmarshal(b, &texts); err != nil {
		t.Fatal(err)
	}
	for _, codes := range []map[string]any{texts.Answers, texts.Fields} {
		for code := range codes {
			names = append(names, "code."+code, "way."+code)
		}
	}
	if len(names) < 80 {
		t.Fatalf("found %d names of codes: the reading is broken", len(names))
	}
	for _, e := range appliance.DocumentEndpoints() {
		names = append(names, "endpoint."+string(e))
		if k := e.Kind(); k != appliance.Unknown {
			names = append(names, "kind."+string(k))
		}
		for _, f := range e.Kind().Model() {
			names = append(names, "field."+f.Name)
		}
	}
	for _, r := range appliance.Reasons() {
		names = append(names, "reason."+string(r))
	}
	for _, s := range appliance.Scopes() {
		names = append(names, "scope."+string(s))
	}
	for _, name := range names {
		if en[name] == "" {
			t.Errorf("%s has no text", name)
		}
	}
}
