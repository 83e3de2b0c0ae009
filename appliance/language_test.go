package appliance

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
)

// spoken names, for each function that makes a text for callers, which argument is the text.
func spoken() map[string]int {
	return map[string]int{
		"Errorf": 1, "Phrasef": 0, "worse": 0, "MemberError": 1, "pictureErrorf": 2, "unsupported": 1, "Unsupported": 1, "problem": 2,
	}
}

// said collects the texts that the program says to callers of the API: what the functions of spoken are called with, what
// advice functions return, what is set as Msg or Advice, and details and hints of the doctor's checks. Texts of the command line
// alone and of its socket are none of them.
func said(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, dir := range []string{".", "../daemon", "../inference", "../camera", "../store", "../models/pack"} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			base := filepath.Base(name)
			switch {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains([]string{
				"proof", "service", "appliancetest", "inferencetest", "client", "eval",
			}, base): // of the command line
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
				return nil
			case strings.HasPrefix(name, "httpapi/control"), slices.Contains([]string{
				"httpapi/listen.go", "../daemon/daemon.go",
				"../store/seal/keyfile.go", "../store/seal/permission.go", "../models/pack/key.go",
			}, name):
				return nil
			}
			members := []string{"Msg", "Advice"}
			if strings.HasPrefix(name, "../daemon/doctor/") {
				members = append(members, "Detail", "Hint")
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				for _, s := range saidBy(n, members) {
					texts[s] = name
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// saidBy returns the texts that one node of a file says; members are those of structs that hold such texts.
func saidBy(n ast.Node, members []string) (out []string) {
	switch v := n.(type) {
	case *ast.CallExpr:
		name := ""
		switch f := v.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		if i, ok := spoken()[name]; ok && i < len(v.Args) {
			of := &ast.Ident{}
			if x, ok := v.Fun.(*ast.SelectorExpr); ok {
				if named, ok := x.X.(*ast.Ident); ok {
					of = named
				}
			}
			if of.Name != "fmt" {
				out = literals(v.Args[i])
			}
		}
	case *ast.KeyValueExpr:
		if k, ok := v.Key.(*ast.Ident); ok && slices.Contains(members, k.Name) {
			out = literals(v.Value)
		}
	case *ast.AssignStmt:
		for i, left := range v.Lhs {
			if s, ok := left.(*ast.SelectorExpr); ok && len(v.Rhs) == len(v.Lhs) && slices.Contains(members, s.Sel.Name) {
				out = append(out, literals(v.Rhs[i])...)
			}
		}
	case *ast.FuncDecl:
		if !slices.Contains([]string{"advice", "foreignKind", "mediaKind", "headerFault", "commonHints", "Kernels"}, v.Name.Name) {
			return nil
		}
		ast.Inspect(v, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok {
				out = append(out, literals(r.Results[0])...)
			}
			return true
		})
	}
	return out
}

// literals returns the texts written out in an expression; cmp.Or has several, and one may be written in parts.
func literals(e ast.Expr) (out []string) {
	ast.Inspect(e, func(n ast.Node) bool {
		s := literal(n)
		if s != "" {
			out = append(out, s)
		}
		return s == ""
	})
	return out
}

// literal is the text that a node writes out, "" where it is none.
func literal(n ast.Node) string {
	switch n := n.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
			return s
		}
	case *ast.BinaryExpr:
		if left, right := literal(n.X), literal(n.Y); n.Op == token.ADD && left != "" && right != "" {
			return left + right
		}
	}
	return ""
}

// TestEverythingIsTranslated: each text that the program can say to a caller has its Arabic text in the catalogue, and the catalogue
// has none that is not said.
func TestEverythingIsTranslated(t *testing.T) {
	texts := said(t)
	if len(texts) < 80 {
		t.Fatalf("found %d texts: the search is broken", len(texts))
	}
	elsewhere := []string{ // said by the drivers of the store and by package errors of base64
		"the store is not available now: try again later", "the disk of the store is full: try again later",
		"the store of the branch is not available now: try again later", "the disk of the cluster is full: try again later",
		"the transaction has expired: start a new one", "the transaction id is not a GUID", "the field is not valid",
	}
	for text, file := range texts {
		if catalogue().Messages[text] == "" {
			t.Errorf("%s says %q, which texts.json has not in Arabic", file, text)
		}
	}
	for text := range catalogue().Messages {
		if texts[text] == "" && !slices.Contains(elsewhere, text) && !base64Text(text) && !cameraText(text) {
			t.Errorf("texts.json has %q, which nobody says", text)
		}
	}
}

// base64Text reports whether a text is that of an error of the base64 decoder.
func base64Text(text string) bool {
	return strings.Contains(text, "base64") || strings.HasPrefix(text, "has a data:")
}

// cameraText reports whether a text is what the catalogue says of a condition, a camera's for one, or of what helps.
func cameraText(text string) bool {
	for _, w := range catalogue().Warnings {
		if w.English == text || w.EnglishRemedy == text {
			return true
		}
	}
	return false
}

var (
	verbs  = regexp.MustCompile(`%[a-zA-Z%]`)
	quoted = regexp.MustCompile("`[^`]*`|data:image/...;base64,")
)

// TestCatalogue: every text exists in both languages; the Arabic one has the same verbs in the same order, is written in Arabic
// letters without controls, tatweel or the Latin comma, and Arabic sentences end as the English ones do.
func TestCatalogue(t *testing.T) {
	check := func(name, english, arabic string) {
		t.Helper()
		switch {
		case english == "" || arabic == "" || english == arabic:
			t.Errorf("%s: %q and %q", name, english, arabic)
		case !slices.Equal(verbs.FindAllString(english, -1), verbs.FindAllString(arabic, -1)):
			t.Errorf("%s: the verbs of %q and %q differ", name, english, arabic)
		case strings.ContainsFunc(quoted.ReplaceAllString(arabic, ""), func(r rune) bool { return unicode.Is(unicode.Cf, r) || r == 'ـ' || r == ',' || r == ';' || r == '?' }):
			t.Errorf("%s: %q has a sign that Arabic does not write", name, arabic)
		case english != "%s %s" && !strings.Contains(english, "Photoshop") && strings.HasSuffix(english, ".") != strings.HasSuffix(arabic, "."):
			t.Errorf("%s: %q and %q end differently", name, english, arabic)
		}
		if !strings.ContainsFunc(arabic, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) && strings.Contains(english, " ") &&
			english != "%s %s" {
			t.Errorf("%s: %q is not Arabic", name, arabic)
		}
	}
	c := catalogue()
	for code, text := range c.Answers {
		check(code, text[English], text[Arabic])
	}
	for code, text := range c.Fields {
		check(code, text[English], text[Arabic])
	}
	for g, text := range c.Guidance {
		check(string(g), text[English], text[Arabic])
	}
	for code, text := range c.Warnings {
		check(string(code), text.English, text.Arabic)
		check(string(code), text.EnglishRemedy, text.ArabicRemedy)
	}
	for english, arabic := range c.Messages {
		check("message", english, arabic)
	}
	for english, arabic := range c.Settings {
		check("setting", english, arabic)
	}
	for name, text := range c.Names {
		check(name, text[English], text[Arabic])
	}
}

// TestCatalogueCoversTheConstants: each declared code, guidance and warning has its entry in the catalogue, and no entry stands for
// something that is not declared.
func TestCatalogueCoversTheConstants(t *testing.T) {
	c := catalogue()
	want := map[string][]string{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			kind, _ := spec.Type.(*ast.Ident)
			value, _ := spec.Values[0].(*ast.BasicLit)
			if kind != nil && value != nil {
				want[kind.Name] = append(want[kind.Name], strings.Trim(value.Value, `"`))
			}
			return true
		})
	}
	got := map[string][]string{
		"Code":        slices.Concat(slices.Collect(maps.Keys(c.Answers)), slices.Collect(maps.Keys(c.Fields))),
		"Guidance":    keysOf(c.Guidance),
		"WarningCode": keysOf(c.Warnings),
	}
	for kind, list := range got {
		slices.Sort(list)
		slices.Sort(want[kind])
		if !slices.Equal(list, want[kind]) || len(list) < 10 {
			t.Errorf("%s: the catalogue has %v, the code %v", kind, list, want[kind])
		}
	}
}

func keysOf[K ~string, V any](m map[K]V) (out []string) {
	for k := range m {
		out = append(out, string(k))
	}
	return out
}

// TestPhrases: a message keeps its names and numbers in Arabic, phrases within it are translated, times are told in seconds, and what
// the catalogue does not know stays English.
func TestPhrases(t *testing.T) {
	refused := Refusal(CodeUnavailable, "open certificate", Phrasef("the certificate %s names no host", "c.pem"),
		Phrasef("it must begin with %s", "---"), fs.ErrNotExist)
	for _, test := range []struct{ got, want string }{
		{TooManyAttempts(7).In(Arabic), "استنفدت هذه المعاملة مرات فحص الوجه وعددها 7: ابدأ معاملة جديدة برقم transaction_id جديد"},
		{TooManyAttempts(7).In(English), TooManyAttempts(7).Msg},
		{CameraUnavailable(WarnCameraLost, nil).In(Arabic), "انقطع الاتصال بالكاميرا (camera_lost): أعد المحاولة لاحقًا أو استدعِ أحد الموظفين"},
		{Phrasef("the face is not clear enough: %s", Phrasef("it is covered: take off mask, sunglasses or hand")).In(Arabic), "الوجه غير واضح بما يكفي: الوجه مغطى، انزع الكمامة أو النظارة الشمسية أو أبعد يدك"},
		{Phrasef("%v of it", 20*time.Second).In(English), "20s of it"},
		{Phrasef("%v of it", 1500*time.Millisecond).In(Arabic), "1.5 ثانية of it"},
		{(&Error{Msg: "100 % sure"}).In(Arabic), "100 % sure"},
		{CodeExpired.MessageIn(Arabic), "انتهت صلاحية المستند"},
		{CodeExpired.MessageIn(""), CodeExpired.Message()},
		{Code(1).MessageIn(Arabic), "البيان غير صحيح"},
		{GuideReady.TextIn(Arabic), "ممتاز، ابقَ هكذا."},
		{Joined("", &fs.PathError{Op: "open", Path: "/x", Err: syscall.EACCES}).In(Arabic), "/x: ليس لمستخدم الخدمة صلاحية ذلك"},
		{Joined("", &fs.PathError{Op: "open", Path: "/x", Err: syscall.EACCES}).String(), "open /x: permission denied"},
		{Joined("", fmt.Errorf("write: %w", syscall.ENOSPC)).In(Arabic), "القرص ممتلئ"},
		{Joined("", errors.New("no idea")).In(Arabic), "no idea"},
		{refused.In(Arabic), "الشهادة c.pem لا تذكر اسم أي جهاز"},
		{refused.Error(), "open certificate: the certificate c.pem names no host: file does not exist"},
		{refused.Way().In(Arabic), "يجب أن يبدأ بهذا السطر: ---"},
		{(&Error{Hint: "check the clock of this machine"}).Way().In(Arabic), "افحص ساعة هذا الجهاز"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

// TestNames: messages call kinds and fields as the console does, every field of every model has a name, and so have the days and months.
func TestNames(t *testing.T) {
	for _, language := range Languages() {
		shown := shownBy(t, language)
		for _, k := range append(ReviewKinds(), Unknown) {
			for _, f := range append(k.Model(), FieldSpec{}) {
				group, key := "field", f.Name
				if key == "" {
					group, key = "kind", string(k)
				}
				if got := Named(group, key).In(language); got == key || got != shown[group+"."+key] {
					t.Errorf("%s: %s is %q, the console says %q", language, key, got, shown[group+"."+key])
				}
			}
		}
	}
	for day := range 366 {
		at := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, day)
		for group, key := range map[string]string{"day": at.Weekday().String(), "month": at.Month().String()} {
			if Named(group, key).In(Arabic) == key || Named(group, key).String() != key {
				t.Fatalf("%s %s: %q", group, key, Named(group, key).In(Arabic))
			}
		}
	}
	if got := Named("field", "none").In(Arabic); got != "none" {
		t.Errorf("a name that is not known: %q", got)
	}
}

// TestConsoleNames: the console has a title in both languages for each lasting condition and each check of the doctor, and none for
// something that there is not.
func TestConsoleNames(t *testing.T) {
	checks := []string{"fingerprint"}
	files, err := filepath.Glob("../daemon/doctor/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if k, ok := n.(*ast.KeyValueExpr); ok && k.Key.(*ast.Ident).Name == "Name" {
				checks = append(checks, slices.DeleteFunc(literals(k.Value), func(s string) bool { return s == "model " })...) // and the network's name
			}
			return true
		})
	}
	slices.Sort(checks)
	for group, want := range map[string][]string{"check": slices.Compact(checks), "warn": keysOf(catalogue().Warnings)} {
		if len(want) < 10 {
			t.Fatalf("found %v: the search is broken", want)
		}
		for _, language := range Languages() {
			shown := shownBy(t, language)
			for _, name := range want {
				if shown[group+"."+name] == "" {
					t.Errorf("%s: the console has no title %s.%s", language, group, name)
				}
			}
			for title := range shown {
				if name, ok := strings.CutPrefix(title, group+"."); ok && !slices.Contains(want, name) {
					t.Errorf("%s: the console has a title for %s, which nobody says", language, title)
				}
			}
		}
	}
}

// shownBy are the console's own texts in a language.
func shownBy(t *testing.T, l Language) (shown map[string]string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("console", "web", "text", string(l)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &shown); err != nil {
		t.Fatal(err)
	}
	return shown
}

// TestConditionsInArabic: a warning and a check are told in Arabic with their figures; without a phrase a warning says what its code
// means, and a check what the catalogue has for its text.
func TestConditionsInArabic(t *testing.T) {
	of := func(text, more string) string { return text + " | " + more }
	full := Warn(WarnDiskLow, Phrasef("only %s are free where the store lies", "3.0 MiB"), Phrasef("check the clock of this machine"))
	if got, want := of(full.In(Arabic)), "المساحة الباقية على قرص المخزن 3.0 MiB فقط | افحص ساعة هذا الجهاز"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := of(full.In(English)), "only 3.0 MiB are free where the store lies | check the clock of this machine"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := of(Warning{Code: WarnClock, Msg: "m"}.In(Arabic)), of(WarnClock.Text(Arabic)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	check := Check{Detail: "none yet: the first start makes one"}.Hinted(Joined("; ", Phrasef("free some room on that disk"), "chrony"))
	if got, want := of(check.In(Arabic)), "لا توجد بعد: ينشئها أول تشغيل | أفرغ بعض المساحة على ذلك القرص؛ chrony"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := of(check.In(English)), "none yet: the first start makes one | free some room on that disk; chrony"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
