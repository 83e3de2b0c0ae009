package wire

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
)

// parse reads a request as the server does.
func (f Form) parse(body []byte) (*Request, error) {
	m, err := ParseObject(context.Background(), body, f.Known())
	if err != nil {
		return nil, err
	}
	return f.Read(m)
}

// documentForm is the form of the document endpoints.
func documentForm() Form { return Form{Images: []string{"image"}, Limit: 1 << 20, Paged: true} }

// TestParseRequest: only one sound JSON object passes, and the message names the member that is wrong without quoting
// what it held.
func TestParseRequest(t *testing.T) {
	deep := func(n int) string {
		return `{"image":"QUJD","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}
	names := func(n int) (s string) {
		for i := range n {
			s += fmt.Sprintf(`,"n%d":0`, i)
		}
		return s
	}
	for _, tt := range []struct{ name, body, says string }{
		{"minimal", `{"image":"QUJD"}`, ""},
		{"white space", " \r\n\t{ \"image\" : \"QUJD\" } \n", ""},
		{"unknown members", `{"image":"QUJD","x":{"image":5,"y":[1e400,null,true]},"Image":7,"IMAGE":[],"":""}`, ""},
		{"escaped name", `{"\u0069mage":"QUJD"}`, ""},
		{"surrogate pair", `{"image":"QUJD","client_transaction_id":"\ud83d\ude00"}`, ""},
		{"100 deep", deep(99), ""},
		{"101 deep", deep(100), "nested"},
		{"deep in a known member", `{"image":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "nested"},
		{"very deep, open", `{"x":` + strings.Repeat("[", 1<<20), "nested"},
		{"deep without an object", strings.Repeat("[", 1<<20), "nested"},
		{"64 members", `{"image":"QUJD"` + names(63) + `}`, ""},
		{"65 members", `{"image":"QUJD"` + names(64) + `}`, "more than 64 members"},
		{"64 members inside", `{"image":"QUJD","x":[{"y":1` + names(63) + `},{"y":1` + names(63) + `}]}`, ""},
		{"65 members inside", `{"image":"QUJD","x":[[{"y":1` + names(64) + `}]]}`, "more than 64 members"},
		{"65 members without an object", `[{"y":1` + names(64) + `}]`, "more than 64 members"},
		{"nothing", ``, "empty"},
		{"blank", " \n", "empty"},
		{"array", `[{"image":"QUJD"}]`, "object"},
		{"string", `"image"`, "object"},
		{"null", `null`, "object"},
		{"number", `5`, "object"},
		{"word", `image`, "JSON"},
		{"open", `{"image":"QUJD"`, "JSON"},
		{"comma at the end", `{"image":"QUJD",}`, "JSON"},
		{"single quotes", `{'image':'QUJD'}`, "JSON"},
		{"comment", `{"image":"QUJD"/**/}`, "JSON"},
		{"NaN", `{"image":"QUJD","x":NaN}`, "JSON"},
		{"leading zero", `{"image":"QUJD","x":01}`, "JSON"},
		{"control character", "{\"image\":\"QUJD\",\"x\":\"\x01\"}", "JSON"},
		{"byte order mark", "\ufeff{\"image\":\"QUJD\"}", ""},
		{"two byte order marks", "\ufeff\ufeff{\"image\":\"QUJD\"}", "JSON"},
		{"byte order mark alone", "\ufeff", "empty"},
		{"byte order mark inside", "{\ufeff\"image\":\"QUJD\"}", "JSON"},
		{"goes on", `{"image":"QUJD"}x`, "goes on"},
		{"second object", `{"image":"QUJD"}{"image":"QUJD"}`, "goes on"},
		{"NUL after", "{\"image\":\"QUJD\"}\x00", "goes on"},
		{"duplicate", `{"image":"QUJD","image":"QUJD"}`, "twice"},
		{"duplicate by escape", `{"image":"QUJD","\u0069mage":"QUJD"}`, "twice"},
		{"duplicate inside", `{"image":"QUJD","x":[{"a":1,"a":1}]}`, "twice"},
		{"invalid UTF-8", "{\"image\":\"QUJD\",\"x\":\"\xff\"}", "UTF-8"},
		{"overlong UTF-8", "{\"image\":\"QUJD\",\"x\":\"\xc0\xaf\"}", "UTF-8"},
		{"UTF-16", "{\x00\"\x00", "JSON"},
		{"lone high surrogate", `{"image":"QUJD","x":"\ud800"}`, "JSON"},
		{"lone low surrogate", `{"image":"QUJD","x":"\udc00"}`, "JSON"},
		{"lone surrogate in a name", `{"image":"QUJD","\udc00":1}`, "JSON"},
		{"surrogates swapped", `{"image":"QUJD","client_transaction_id":"\ude00\ud83d"}`, "JSON"},
		{"no image", `{}`, "image is missing"},
		{"image in capitals", `{"Image":"QUJD"}`, "image is missing"},
		{"null image", `{"image":null}`, "image is missing"},
		{"empty image", `{"image":""}`, "image is empty"},
		{"blank image", `{"image":" \n "}`, "image is empty"},
		{"prefix alone", `{"image":"data:image/png;base64,"}`, "image is empty"},
		{"image a number", `{"image":5}`, "image must be a string"},
		{"image a list", `{"image":["QUJD"]}`, "image must be a string"},
		{"image an object", `{"image":{}}`, "image must be a string"},
		{"image a boolean", `{"image":true}`, "image must be a string"},
		{"image not base64", `{"image":"SECRET!!"}`, "image holds a character that is not base64, at position 7: send the bytes of the picture's file in base64"},
		{"image not base64 behind a prefix", `{"image":" data:image/png;base64,SECR.T"}`, "at position 28: "},
		{"client id a number", `{"image":"QUJD","client_transaction_id":5}`, "client_transaction_id must be a string"},
		{"client id false", `{"image":"QUJD","client_transaction_id":false}`, "client_transaction_id must be a string"},
		{"client id of 4096 bytes", `{"image":"QUJD","client_transaction_id":"` + strings.Repeat("é", 2048) + `"}`, ""},
		{"client id of 4097 bytes", `{"image":"QUJD","client_transaction_id":"` + strings.Repeat("é", 2048) + `x"}`, "client_transaction_id is longer"},
		{"evidence a string", `{"image":"QUJD","evidence":"true"}`, "evidence must be true or false"},
		{"page a string", `{"image":"QUJD","page":"2"}`, "page must be a whole number from 1 to 10000"},
		{"page 0", `{"image":"QUJD","page":0}`, "page must be a whole number from 1 to 10000"},
		{"page between two", `{"image":"QUJD","page":1.5}`, "page must be a whole number from 1 to 10000"},
		{"page beyond", `{"image":"QUJD","page":10001}`, "page must be a whole number from 1 to 10000"},
		{"evidence a number", `{"image":"QUJD","evidence":1}`, "evidence must be true or false"},
	} {
		r, err := documentForm().parse([]byte(tt.body))
		if tt.says == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			} else if string(r.Images[0]) != "ABC" {
				t.Errorf("%s: image %q", tt.name, r.Images[0])
			}
			continue
		}
		if err == nil || appliance.CodeOf(err) != appliance.CodeBadRequest || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want one that says %q", tt.name, err, tt.says)
		} else if strings.Contains(err.Error(), "SECRET") || len(err.Error()) > 160 {
			t.Errorf("%s: the message quotes the request: %v", tt.name, err)
		}
	}
}

// A picture that is too large is told by the limit that is set, also one below a MiB.
func TestPictureLimitIsTold(t *testing.T) {
	for limit, want := range map[int]string{512 << 10: "larger than 512 KiB", 3 << 19: "larger than 1.5 MiB"} {
		_, err := Form{Images: []string{"image"}, Limit: limit}.parse([]byte(`{"image":"` + strings.Repeat("AAAA", limit/3+1) + `"}`))
		if appliance.CodeOf(err) != appliance.CodePictureBytes || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// FuzzRequest: no body makes the parser fail in another way than with a short 400 or 5002, and what it accepts is what
// the standard library reads too.
func FuzzRequest(f *testing.F) {
	for _, s := range []string{
		`{"image":"QUJD"}`, `{"image":"data:image/png;base64,QUI=","evidence":true,"client_transaction_id":"\ud83d\ude00"}`,
		`{"transaction_id":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","image":"Q\u0055JD"}`, `[`, `{"x":[[]],"x":1}`, "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := Form{Images: []string{"image"}, Limit: 64}.parse(bytes.Clone(body))
		if err != nil {
			if code := appliance.CodeOf(err); code != appliance.CodeBadRequest && code != appliance.CodePictureBytes {
				t.Fatalf("code %d: %v", code, err)
			}
			if len(err.Error()) > 200 {
				t.Fatalf("long message: %v", err)
			}
			return
		}
		var std struct {
			Image    string  `json:"image"`
			Client   *string `json:"client_transaction_id"`
			Evidence *bool   `json:"evidence"`
		}
		exact := map[string]json.RawMessage{}
		if err := json.Unmarshal(body, &exact); err != nil || !utf8.Valid(body) {
			t.Fatalf("accepted, but the standard library says %v", err)
		}
		for _, m := range []struct {
			name string
			into any
		}{{"image", &std.Image}, {"client_transaction_id", &std.Client}, {"evidence", &std.Evidence}} {
			if raw, ok := exact[m.name]; ok {
				if err := json.Unmarshal(raw, m.into); err != nil {
					t.Fatal(err)
				}
			}
		}
		if (std.Client == nil) != (r.ClientTransactionID == nil) || std.Client != nil && *std.Client != *r.ClientTransactionID {
			t.Fatalf("client id %v, want %v", r.ClientTransactionID, std.Client)
		}
		if r.Evidence != (std.Evidence != nil && *std.Evidence) {
			t.Fatalf("evidence %v", r.Evidence)
		}
		if image, err := decodeBase64([]byte(std.Image), 64); err != nil || !bytes.Equal(image, r.Images[0]) {
			t.Fatalf("image %q, want %q (%v)", r.Images[0], image, err)
		}
	})
}

// BenchmarkParseRequest reads a request of a typical photograph, and one whose base64 is written with escapes.
func BenchmarkParseRequest(b *testing.B) {
	text := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0xff, 0xfb, 0x3e, 9, 1}, 80_000))
	for name, image := range map[string]string{"plain": text, "escaped": strings.ReplaceAll(text, "/", `\/`)} {
		body := []byte(`{"client_transaction_id":"x","image":"` + image + `"}`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := documentForm().parse(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
