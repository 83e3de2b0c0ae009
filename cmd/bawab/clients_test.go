package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The examples of the three clients make a whole check at a daemon, and are told in Arabic what a failure is.
func TestClients(t *testing.T) {
	const want = `name: رجب حجازى أحمد دياب سعكاوى
born: 1953-11-02
the back has the same number: true
matched: true
live: true
5001 الصورة من نوع غير معروف، وهذا غير مدعوم؛ أرسل صورة JPEG أو PNG أو WebP أو BMP أو TIFF
`
	p := startProgram(t, t.TempDir())
	folder := filepath.Join("appliance", "client")
	for name, command := range map[string][]string{
		"go":         {"go", "run", "./appliance/client/examples/check"},
		"python":     {"python3", filepath.Join(folder, "python", "examples", "check.py")},
		"typescript": {"node", filepath.Join(folder, "typescript", "examples", "check.mjs")},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("no %s on this machine", command[0])
			}
			c := exec.CommandContext(t.Context(), command[0], append(command[1:], filepath.Join("models", "samples"))...)
			c.Dir = repository
			c.Env = append(os.Environ(), "API_URL=http://"+p.listen, "API_KEY="+p.secret, "PYTHONIOENCODING=utf-8", "CGO_ENABLED=0")
			var said bytes.Buffer
			c.Stderr = &said
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, said.Bytes())
			}
			if diff := cmp.Diff(want, string(out)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
