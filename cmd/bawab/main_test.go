package main

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/cmd/bawab/command"
)

// TestMain lets the test binary also be the program: tests and scripts run it as "bawab".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"bawab": main, "bawab-tormented": tormented})
}

// patience bounds every wait for something that must come.
const patience = 20 * time.Second

// Each session of the command line behaves as its script says, in output, exit code and files.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Values[notifySocket{}] = new(chan string)
			samples, err := filepath.Abs(filepath.Join("..", "..", "models", "samples"))
			env.Setenv("SAMPLES", samples)
			env.Setenv("STUDENT", filepath.Join(samples, "..", "..", "inference", "documents", "testdata", "egypt", "student"))
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fails":         func(ts *testscript.TestScript, _ bool, args []string) { exits(ts, command.ExitFailed, args) },
			"wrong":         func(ts *testscript.TestScript, _ bool, args []string) { exits(ts, command.ExitUsage, args) },
			"ready":         scriptReady,
			"mode":          scriptMode,
			"damage":        scriptDamage,
			"blank":         scriptBlank,
			"listen-notify": scriptListenNotify,
			"heard":         scriptHeard,
			"modelset":      scriptModelSet,
			"vendor":        scriptVendor,
		},
	})
}

// exits runs a program that must end with the given code, and at its most one error line.
func exits(ts *testscript.TestScript, code int, args []string) {
	err := ts.Exec(args[0], args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != code {
		ts.Fatalf("%s: got %v, want exit code %d", strings.Join(args, " "), err, code)
	}
	errs := 0
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		if strings.HasPrefix(line, "bawab: error: ") {
			errs++
		}
	}
	if errs > 1 {
		ts.Fatalf("%s: %d error lines, want one", strings.Join(args, " "), errs)
	}
}

// awaitDaemon polls until the daemon of a folder answers.
func awaitDaemon(dir string) (state.Status, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		client, err := control.Dial(dir)
		if err == nil {
			defer client.Close()
			return client.Status(ctx)
		}
		select {
		case <-ctx.Done():
			return state.Status{}, err
		case <-poll.C:
		}
	}
}

// scriptReady waits for the daemon of a folder and sets LISTEN to its address.
func scriptReady(ts *testscript.TestScript, _ bool, args []string) {
	status, err := awaitDaemon(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Setenv("LISTEN", status.Listen)
}

func scriptMode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	want, err := strconv.ParseUint(args[1], 8, 32)
	ts.Check(err)
	if got := info.Mode().Perm(); got != os.FileMode(want) {
		ts.Fatalf("%s has mode %04o, want %s", args[0], got, args[1])
	}
}

// scriptDamage overwrites the second half of a file, where a database has its content.
func scriptDamage(ts *testscript.TestScript, _ bool, args []string) {
	name := ts.MkAbs(args[0])
	text, err := os.ReadFile(name)
	ts.Check(err)
	for i := len(text) / 4; i < len(text); i += 7 {
		text[i] ^= 0x5a
	}
	ts.Check(os.WriteFile(name, text, 0o600))
}

// scriptBlank writes a white picture.
func scriptBlank(ts *testscript.TestScript, _ bool, args []string) {
	text, err := whitePNG(400, 300)
	ts.Check(errors.Join(err, os.WriteFile(ts.MkAbs(args[0]), text, 0o600)))
}

// whitePNG is a white picture.
func whitePNG(w, h int) ([]byte, error) {
	m := image.NewGray(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = 0xff
	}
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}

// notifySocket is the key under which a script keeps what the socket that stands for systemd has heard.
type notifySocket struct{}

// scriptListenNotify listens as systemd does: it reads at once, whether or not the script looks at it.
func scriptListenNotify(ts *testscript.TestScript, _ bool, args []string) {
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: ts.MkAbs(args[0]), Net: "unixgram"})
	ts.Check(err)
	ts.Defer(func() { conn.Close() })
	states := make(chan string, 1<<12)
	*ts.Value(notifySocket{}).(*chan string) = states
	go func() {
		defer close(states)
		got := make([]byte, 256)
		for {
			n, err := conn.Read(got)
			if err != nil {
				return
			}
			select {
			case states <- string(got[:n]):
			default: // thousands that no script asked for
			}
		}
	}()
}

// scriptHeard waits until systemd hears a state, and skips those before it.
func scriptHeard(ts *testscript.TestScript, _ bool, args []string) {
	late := time.After(patience)
	for {
		select {
		case state, ok := <-*ts.Value(notifySocket{}).(*chan string):
			if !ok {
				ts.Fatalf("systemd did not hear %s", args[0])
			}
			if state == args[0] {
				return
			}
		case <-late:
			ts.Fatalf("systemd did not hear %s in %v", args[0], patience)
		}
	}
}
