// Package console holds the pages that people open in a browser: the first page, the console and the
// kiosk. They are built once, by
// `go run ./appliance/console/build`, and carried in the program: the appliance serves them without any other host.
package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var built embed.FS

// policy is what a browser may do with a page: fetch from the appliance alone, run no script that is not a file of these pages, and
// show it in no frame. Pictures that a person chose are shown from memory (blob:). No text may become markup (Trusted Types).
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; media-src 'self' blob:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Cache rules: a page is asked for again each time, and a file whose name holds its own hash never.
const (
	cachePage = "no-cache"
	cacheFile = "public, max-age=31536000, immutable"
)

// file is one answer, ready to be sent.
type file struct {
	mediaType string
	plain     []byte
	packed    []byte // by gzip; nil where that does not help
	tag       string
	cache     string
}

// Handler serves the pages: /, /console/ and /kiosk/, and the files that they name below /console/assets/.
type Handler struct {
	files map[string]file // by path
}

// New makes a handler of the pages that are carried in the program.
func New() (*Handler, error) {
	h := &Handler{files: map[string]file{}}
	entries, err := fs.ReadDir(built, "assets")
	if err != nil {
		return nil, fmt.Errorf("read pages: %w", err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(built, path.Join("assets", e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read pages: %w", err)
		}
		where, cache := "/console/assets/"+e.Name(), cacheFile
		switch e.Name() {
		case "home.html":
			where, cache = "/", cachePage
		case "console.html":
			where, cache = "/console/", cachePage
		case "kiosk.html":
			where, cache = "/kiosk/", cachePage
		}
		f, err := newFile(e.Name(), text, cache)
		if err != nil {
			return nil, err
		}
		h.files[where] = f
	}
	return h, nil
}

// mediaTypes are those of the files; others are not carried.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".woff2": "font/woff2",
}

func newFile(name string, text []byte, cache string) (file, error) {
	sum := sha256.Sum256(text)
	f := file{mediaType: mediaTypes[path.Ext(name)], plain: text, tag: `"` + hex.EncodeToString(sum[:12]) + `"`, cache: cache}
	if f.mediaType == "" {
		return f, fmt.Errorf("read pages: %s has no known media type", name)
	}
	if path.Ext(name) == ".woff2" {
		return f, nil
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return f, fmt.Errorf("compress pages: %w", err)
	}
	if packed.Len() < len(text) {
		f.packed = packed.Bytes()
	}
	return f, nil
}

// ServeHTTP answers GET and HEAD.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/console" || r.URL.Path == "/kiosk" {
		w.Header().Set("Location", r.URL.Path+"/")
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	f, ok := h.files[r.URL.Path]
	if !ok {
		http.Error(w, "there is no such page", http.StatusNotFound)
		return
	}
	header := w.Header()
	header.Set("Content-Type", f.mediaType)
	header.Set("Cache-Control", f.cache)
	header.Set("ETag", f.tag)
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(self), microphone=(), geolocation=()")
	header.Add("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if f.packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		body = f.packed
		header.Set("Content-Encoding", "gzip")
	}
	_, _ = w.Write(body) // a browser that went away is told nothing
}
