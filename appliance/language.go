package appliance

import (
	"cmp"
	_ "embed" // the catalogue lies beside this file
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Language is a language in which the appliance speaks to people.
type Language string

// The languages of the catalogue. The zero value counts as English.
const (
	English Language = "en"
	Arabic  Language = "ar"
)

// Languages lists the languages of the catalogue, the one that is spoken unasked first.
func Languages() []Language { return []Language{English, Arabic} }

//go:embed texts.json
var textsFile []byte

// wording is the one catalogue of what the appliance says to people. Codes, guidance and warnings have their texts in both languages;
// messages have the English text, with its verbs, as their name.
type wording struct {
	Answers  map[string]map[Language]string   `json:"answers"`
	Fields   map[string]map[Language]string   `json:"fields"`
	Guidance map[Guidance]map[Language]string `json:"guidance"`
	Warnings map[WarningCode]struct {
		English       string `json:"en"`
		Arabic        string `json:"ar"`
		EnglishRemedy string `json:"hint_en"`
		ArabicRemedy  string `json:"hint_ar"`
	} `json:"warnings"`
	// Names are those of what a message is about: kinds, fields, days and months, by their group and key.
	Names    map[string]map[Language]string `json:"names"`
	Messages map[string]string              `json:"messages"`
	// Settings are what the keys of the configuration mean and take, by the English text as messages are.
	Settings map[string]string `json:"settings"`
}

// catalogue reads the file once. It is part of the program, so a fault in it is a mistake of the build.
var catalogue = sync.OnceValue(func() *wording {
	var t wording
	if err := json.Unmarshal(textsFile, &t); err != nil {
		panic(fmt.Sprintf("texts.json: %v", err))
	}
	for _, w := range t.Warnings { // they are said in errors and checks too
		t.Messages[w.English], t.Messages[w.EnglishRemedy] = w.Arabic, w.ArabicRemedy
	}
	return &t
})

// in chooses between the texts of an entry.
func in(l Language, entry map[Language]string) string {
	if l == "" {
		l = English
	}
	return entry[l]
}

// Phrase is a text for people that is put into their language when it is known: the name of a message and what fills its verbs.
type Phrase struct {
	format string
	args   []any
	name   string // that of something, in the place of a message
	joined bool   // the format has nothing to be translated but its commas
}

// Phrasef makes a Phrase. Arguments that are phrases are translated with it; names and numbers stay as they are.
func Phrasef(format string, args ...any) Phrase { return Phrase{format: format, args: args} }

// Named is the name of something that messages are about: of a group (kind, field, day, month), by its key.
func Named(group, key string) Phrase { return Phrase{format: key, name: group + "." + key} }

// Joined puts texts beside each other with a sign between them.
func Joined(sign string, parts ...any) Phrase {
	return Phrase{format: strings.TrimSuffix(strings.Repeat("%v"+sign, len(parts)), sign), args: parts, joined: true}
}

// String is the phrase in English.
func (p Phrase) String() string { return p.In(English) }

// In is the phrase in a language, and in English where the catalogue has no other text.
func (p Phrase) In(l Language) string {
	format := p.format
	if p.name != "" {
		return cmp.Or(in(l, catalogue().Names[p.name]), p.format)
	}
	if p.joined && l == Arabic {
		format = strings.NewReplacer(",", "،", ";", "؛").Replace(format)
	}
	if l == Arabic {
		format = cmp.Or(catalogue().Messages[p.format], catalogue().Settings[p.format], format)
	}
	if len(p.args) == 0 {
		return format
	}
	args := make([]any, len(p.args))
	for i, a := range p.args {
		switch v := a.(type) {
		case Phrase:
			a = v.In(l)
		case time.Duration:
			if l == Arabic {
				a = strconv.FormatFloat(v.Seconds(), 'g', 4, 64) + " ثانية"
			}
		case error:
			if l == Arabic {
				a = faultIn(v, l)
			}
		}
		args[i] = a
	}
	return fmt.Sprintf(format, args...)
}

// faultIn says in a language why something failed: by the message of an Error, or what the system says of a file. Other errors stay as
// they are.
func faultIn(err error, l Language) string {
	var e *Error
	if errors.As(err, &e) {
		return e.In(l)
	}
	var why Phrase
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = Phrasef("there is no such file")
	case errors.Is(err, fs.ErrPermission):
		why = Phrasef("the user of the daemon may not do this")
	case errors.Is(err, syscall.ENOSPC):
		why = Phrasef("the disk is full")
	case errors.Is(err, syscall.EROFS):
		why = Phrasef("the disk is read-only")
	case errors.Is(err, syscall.EIO):
		why = Phrasef("the disk fails")
	default:
		return err.Error()
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		return file.Path + ": " + why.In(l)
	}
	return why.In(l)
}

// In is the message of an error in a language.
func (e *Error) In(l Language) string {
	if e.text.format != "" && e.text.String() == e.Msg {
		return e.text.In(l)
	}
	return Phrasef(e.Msg).In(l)
}

// Meaning says what a code of a whole answer means.
func (c Code) Meaning(l Language) string { return in(l, catalogue().Answers[strconv.Itoa(int(c))]) }

// Message returns the sentence that goes with a field-level code, in English.
func (c Code) Message() string { return c.MessageIn(English) }

// MessageIn returns the sentence that goes with a field-level code.
func (c Code) MessageIn(l Language) string {
	if s := in(l, catalogue().Fields[strconv.Itoa(int(c))]); s != "" {
		return s
	}
	return Phrasef("the field is not valid").In(l)
}

// Text is the guidance as one plain sentence, in English.
func (g Guidance) Text() string { return g.TextIn(English) }

// TextIn is the guidance as one plain sentence.
func (g Guidance) TextIn(l Language) string { return in(l, catalogue().Guidance[g]) }

// Text says what a condition is and what helps, without figures.
func (w WarningCode) Text(l Language) (msg, hint string) {
	t := catalogue().Warnings[w]
	if l == Arabic {
		return t.Arabic, t.ArabicRemedy
	}
	return t.English, t.EnglishRemedy
}

// In is a warning in a language. English says it with its figures, Arabic what its code means, but message and hint that are phrases
// with their figures, too.
func (w Warning) In(l Language) (msg, hint string) {
	msg, hint = w.Msg, w.Hint
	if l == Arabic {
		m, h := w.Code.Text(l)
		msg, hint = cmp.Or(m, msg), cmp.Or(h, hint)
	}
	if w.Said != nil {
		msg = w.Said.In(l)
	}
	if w.Way != nil {
		hint = w.Way.In(l)
	}
	return msg, hint
}

// In is what a check found and what to do, in a language.
func (c Check) In(l Language) (detail, hint string) {
	return c.Told().In(l), c.Advised().In(l)
}
