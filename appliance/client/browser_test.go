package client

import (
	"bytes"
	"encoding/json"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// page captures three frames of the camera, sends them, reads a card from a canvas and tells what came of it.
const page = `<!doctype html><video id="video"></video><script type="module">
import { captureFrames, Client, openCamera } from "./bawab.js";
const tell = (what) => fetch("/told", { method: "POST", body: what });
try {
  const video = document.getElementById("video");
  const close = await openCamera(video);
  const frames = await captureFrames(video);
  const client = new Client(location.origin, "secret", { language: "ar" });
  await client.liveness("t", frames);
  const canvas = document.createElement("canvas");
  canvas.width = 80;
  canvas.height = 70;
  canvas.getContext("2d").fillRect(0, 0, 80, 70);
  const answer = await client.licensePlate(canvas);
  close();
  await tell(answer.data.result + " " + (video.srcObject === null));
} catch (e) {
  await tell(String(e));
}
</script>`

// TestBrowser: in Chromium the client takes three different frames of a camera and sends them, and a canvas, as JPEG; then the camera is
// free again.
func TestBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine")
	}
	told, sent := make(chan string, 1), make(chan map[string]any, 2)
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir("typescript")))
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	})
	mux.HandleFunc("POST /v1/ocr/", func(w http.ResponseWriter, r *http.Request) {
		var members map[string]any
		if err := json.NewDecoder(r.Body).Decode(&members); err != nil || r.Header.Get("ApiKey") != "secret" ||
			r.Header.Get("Accept-Language") != "ar" {
			t.Errorf("%v, headers %v", err, r.Header)
		}
		sent <- members
		_, _ = w.Write([]byte(plate))
	})
	mux.HandleFunc("POST /told", func(_ http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		_, _ = b.ReadFrom(r.Body)
		told <- b.String()
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	profile, err := os.MkdirTemp("", "bawab-browser-")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir="+profile,
		"--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required",
		"--no-first-run", "--disable-background-networking", server.URL+"/page")
	c.WaitDelay = 10 * time.Second
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its helpers write into the profile as long as they live
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
		for deadline := time.Now().Add(10 * time.Second); os.RemoveAll(profile) != nil && time.Now().Before(deadline); {
			runtime.Gosched()
		}
	}()
	select {
	case what := <-told:
		if what != "س ن ب 1234 true" {
			t.Fatal(what)
		}
	case <-time.After(90 * time.Second):
		t.Fatal("the page told nothing")
	}
	pictures := map[string]bool{}
	for range 2 {
		for name, value := range <-sent {
			if !strings.HasPrefix(name, "face_") && name != "image" {
				continue
			}
			var raw []byte
			text, _ := json.Marshal(value)
			if err := json.Unmarshal(text, &raw); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := jpeg.DecodeConfig(bytes.NewReader(raw)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			pictures[string(raw)] = true
		}
	}
	if len(pictures) != 4 {
		t.Errorf("%d different pictures, want three frames and the canvas", len(pictures))
	}
}
