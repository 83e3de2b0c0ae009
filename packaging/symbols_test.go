package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program that asks for more than every supported system has, or can be taken over more easily than it must, is
// refused with the reason; one that does not passes.
func TestSymbols(t *testing.T) {
	for _, tool := range []string{"gcc", "g++", "readelf"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s on this machine", tool)
		}
	}
	const (
		plain   = "int main(void) { return 0; }"
		streams = "#include <iostream>\nint main() { std::cout << 1; }"
		old     = "#include <math.h>\nvolatile double x = 2; int main(void) { return (int)sin(x); }"
		young   = "extern int strlcpy_of_the_future(void); int main(void) { return strlcpy_of_the_future(); }"
	)
	hard := []string{"-pie", "-fPIE", "-Wl,-z,relro,-z,now"}
	tests := []struct {
		name, compiler, source string
		flags                  []string
		want                   string // part of the complaint; "" for none
	}{
		{"sound", "gcc", old, append([]string{"-lm"}, hard...), ""},
		{"private folder", "gcc", plain, append([]string{"-Wl,-rpath,$ORIGIN/../lib/bawab"}, hard...), ""},
		{"fixed address", "gcc", plain, []string{"-no-pie", "-Wl,-z,relro,-z,now"}, "PIE"},
		{"lazy", "gcc", plain, []string{"-pie", "-fPIE", "-Wl,-z,relro,-z,lazy"}, "BIND_NOW"},
		{"writable tables", "gcc", plain, []string{"-pie", "-fPIE", "-Wl,-z,norelro,-z,now"}, "RELRO"},
		{"executable stack", "gcc", plain, append([]string{"-Wl,-z,execstack"}, hard...), "NX"},
		{"foreign folder", "gcc", plain, append([]string{"-Wl,-rpath,/opt/build"}, hard...), "RUNPATH"},
		{"foreign library", "g++", streams, hard, "libstdc++.so.6"},
		{"young C library", "gcc", young, hard, "GLIBC_2.99"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			extension := map[string]string{"gcc": ".c", "g++": ".cc"}[tt.compiler]
			source, program := filepath.Join(dir, "program"+extension), filepath.Join(dir, "program")
			if err := os.WriteFile(source, []byte(tt.source), 0o600); err != nil {
				t.Fatal(err)
			}
			arguments := append([]string{"-o", program, source, "-Wl,--as-needed"}, tt.flags...)
			if tt.source == young {
				arguments = append(arguments, youngLibrary(t, dir))
			}
			if out, err := exec.Command(tt.compiler, arguments...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", tt.compiler, err, out)
			}
			out, err := exec.Command("./symbols.sh", program).CombinedOutput()
			if passed := err == nil; passed != (tt.want == "") || !strings.Contains(string(out), tt.want) {
				t.Errorf("want a complaint about %q, got %v:\n%s", tt.want, err, out)
			}
		})
	}
}

// youngLibrary makes a library that pretends to be a C library of the future, and returns its path.
func youngLibrary(t *testing.T, dir string) string {
	t.Helper()
	source, script, library := filepath.Join(dir, "young.c"), filepath.Join(dir, "young.map"), filepath.Join(dir, "libm.so.6")
	for name, text := range map[string]string{source: "int strlcpy_of_the_future(void) { return 0; }", script: "GLIBC_2.99 { global: *; };"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("gcc", "-shared", "-fPIC", "-o", library, source, "-Wl,-soname,libm.so.6", "-Wl,--version-script="+script).CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return library
}
