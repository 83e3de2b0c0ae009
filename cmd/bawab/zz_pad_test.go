package main

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"github.com/bawab/bawab/configs"
)

func TestZZ(t *testing.T) {
	list := os.Getenv("PADLIST")
	if list == "" {
		t.Skip()
	}
	
	e, err := openEngine(t.Context(), configs.Picture{}, 1); if err != nil { t.Fatal(err) }
	f, _ := os.Open(list)
	out, _ := os.Create(list + ".marks")
	defer out.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		raw, err := os.ReadFile(s.Text())
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.decoder.Decode(t.Context(), raw)
		if err != nil {
			fmt.Fprintln(out, s.Text(), "undecoded")
			continue
		}
		faces, err := e.faces.finder.FindFaces(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(out, s.Text(), " ", len(faces))
		if len(faces) > 0 {
			fmt.Fprintf(out, " %d", len(faces[0].Quality.Faults))
			for _, l := range faces[0].Landmarks {
				fmt.Fprintf(out, " %.2f %.2f", l.X, l.Y)
			}
		}
		fmt.Fprintln(out)
	}
}
