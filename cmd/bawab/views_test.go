package main

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// What the first view of a page may cost: bytes as they come over the wire, requests, elements, and how far its parts may jump while it is
// built, as browsers count it.
const (
	viewBytes    = 150 << 10
	viewRequests = 12
	viewNodes    = 800
	viewShift    = 0.1
)

// view is what a browser has measured of a first view. Times are in milliseconds since the navigation began.
type view struct {
	Painted  float64 `json:"painted"` // the first text or picture
	Loaded   float64 `json:"loaded"`
	Bytes    int     `json:"bytes"`
	Requests int     `json:"requests"`
	Nodes    int     `json:"nodes"`
	Shift    float64 `json:"shift"`
	Large    string  `json:"large"` // pictures that are sent larger than they are shown
}

// measured is a script for the view of the page that is shown.
const measured = `new Promise(done => {
	let shift = 0;
	new PerformanceObserver(l => l.getEntries().forEach(e => shift += e.value)).observe({type: "layout-shift", buffered: true});
	setTimeout(() => {
		const [page] = performance.getEntriesByType("navigation"), files = performance.getEntriesByType("resource");
		const large = [...document.images].filter(i => i.naturalWidth > 2 * devicePixelRatio * i.clientWidth && !i.src.endsWith(".svg"));
		done(JSON.stringify({
			painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0, loaded: page.loadEventEnd,
			bytes: [page, ...files].reduce((n, f) => n + f.transferSize, 0), requests: 1 + files.length,
			nodes: document.querySelectorAll("*").length, shift, large: large.map(i => i.src).join(" "),
		}));
	}, 100);
})`

// The first view of each page, with nothing in the browser's cache, is small, asks for little and stands still while it is built. How
// long it takes is measured too, and no failure: VIEWS=30 looks at each page so often and prints the median and the slowest.
func TestFirstViews(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true")
	b := openBrowser(t, p)
	b.resize(screens()[0])
	if _, err := chromedp.Call(b.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}); err != nil {
		t.Fatal(err)
	}
	rounds, _ := strconv.Atoi(os.Getenv("VIEWS"))
	for _, page := range []struct{ path, settled string }{
		{"/", `document.querySelector(".notice") !== null`},
		{"/console/", `document.querySelector("input[name=key]") !== null`},
		{"/kiosk/", `document.querySelector(".pairing .code") !== null`},
	} {
		var painted, loaded []float64
		var v view
		for range max(1, rounds) {
			b.run(chromedp.Navigate(b.base + page.path))
			b.await(page.settled + ` && document.fonts.status === "loaded"`)
			if err := json.Unmarshal([]byte(b.eventually(measured)), &v); err != nil {
				t.Fatal(err)
			}
			painted, loaded = append(painted, v.Painted), append(loaded, v.Loaded)
		}
		if v.Bytes > viewBytes || v.Requests > viewRequests || v.Nodes > viewNodes || v.Shift > viewShift || v.Large != "" {
			t.Errorf("%s costs %+v", page.path, v)
		}
		if v.Bytes < 30<<10 || v.Requests < 4 || v.Painted == 0 {
			t.Errorf("%s: %+v: nothing was measured", page.path, v)
		}
		slices.Sort(painted)
		slices.Sort(loaded)
		n := len(painted)
		t.Logf("%-10s n=%d, painted after %.0f ms (slowest %.0f), loaded after %.0f ms (slowest %.0f)",
			page.path, n, painted[n/2], painted[n-1], loaded[n/2], loaded[n-1])
		t.Logf("%-10s %d requests, %.0f KB, %d elements, shift %.3f", "", v.Requests, float64(v.Bytes)/1024, v.Nodes, v.Shift)
	}
	b.calm()
}
