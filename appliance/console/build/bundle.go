package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// script is a file of others.
type script struct{ file, sum string }

// scripts maps the names by which sources import scripts of others to the files that are meant, under third.
func scripts() map[string]script {
	return map[string]script{
		"preact":               {"preact/preact.mjs", "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55"},
		"preact/hooks":         {"preact/hooks.mjs", "e862ab2973aa6455eaa0f77c5d832d2157d6be59a17c8ba546550a575b58c6b4"},
		"preact/jsx-runtime":   {"preact/jsxRuntime.mjs", "4761ad0e33728d1488ad98a194fe8c6a93cf940fec80e49995c82dc013d081cd"},
		"@preact/signals":      {"signals/signals.mjs", "ba8177597f45acaca4d05dcf3966b527d0a8264cfa2b0a87ace92dff324217f8"},
		"@preact/signals-core": {"signals-core/signals-core.mjs", "0c80bc127d72ecb1496ef116ffddae75079829a3af01e7f417c8e5a6474c68b6"},
	}
}

// check compares the scripts of others with what was looked at when they were taken in.
func check(dir string) error {
	for name, s := range scripts() {
		text, err := os.ReadFile(filepath.Join(dir, "third", s.file))
		if err != nil {
			return fmt.Errorf("check scripts: %w", err)
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != s.sum {
			return fmt.Errorf("check scripts: %s is not the file that was pinned for %s", s.file, name)
		}
	}
	return nil
}

// pages are the HTML pages, each with the files that it names.
func pages() map[string][]string {
	return map[string][]string{
		"home.html": {"home.js", "style.css", "mark.svg"}, "console.html": {"console.js", "style.css", "mark.svg"},
		"kiosk.html": {"kiosk.js", "kiosk.css", "mark.svg"},
	}
}

// bundle builds all files of the pages; dir is the folder of package console.
func bundle(dir string) (map[string][]byte, error) {
	if err := check(dir); err != nil {
		return nil, err
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	alias := map[string]string{}
	for name, s := range scripts() {
		alias[name] = filepath.Join(root, "third", s.file)
	}
	web := filepath.Join(root, "web")
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: web, Outdir: filepath.Join(root, "assets"), Write: false, Bundle: true, Alias: alias,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "home.tsx", OutputPath: "home"},
			{InputPath: "main.tsx", OutputPath: "console"},
			{InputPath: "kiosk.tsx", OutputPath: "kiosk"},
			{InputPath: "kiosk.css", OutputPath: "kiosk"},
			{InputPath: "style.css", OutputPath: "style"},
			{InputPath: "mark.svg", OutputPath: "mark"},
		},
		EntryNames: "[name]-[hash]", AssetNames: "[name]-[hash]", PublicPath: "/console/assets/",
		Loader: map[string]api.Loader{".woff2": api.LoaderFile, ".svg": api.LoaderCopy},
		JSX:    api.JSXAutomatic, JSXImportSource: "preact", Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, TsconfigRaw: "{}", LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	files := map[string][]byte{}
	for _, f := range result.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	return files, addPages(web, files)
}

// addPages writes the names of the built files into the HTML pages.
func addPages(web string, files map[string][]byte) error {
	for page, names := range pages() {
		text, err := os.ReadFile(filepath.Join(web, page))
		if err != nil {
			return fmt.Errorf("bundle pages: %w", err)
		}
		html := string(text)
		for _, name := range names {
			hashed := find(files, name)
			if hashed == "" {
				return fmt.Errorf("bundle pages: nothing was built for %s", name)
			}
			html = strings.ReplaceAll(html, "{"+name+"}", "/console/assets/"+hashed)
		}
		files[page] = []byte(html)
	}
	return nil
}

// find returns the built file that a name stands for, "" without one.
func find(files map[string][]byte, name string) string {
	base, ext := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
	for hashed := range files {
		if strings.HasPrefix(hashed, base+"-") && strings.HasSuffix(hashed, ext) {
			return hashed
		}
	}
	return ""
}
