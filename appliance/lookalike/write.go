package lookalike

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/words"
)

// WriteDrafts writes the draft of each group into a folder of its own below dir, and says of each what became of it. What is there
// already is left as it is.
func WriteDrafts(out io.Writer, groups []Group, dir string) error {
	for i := range groups {
		g := &groups[i]
		became, err := g.writeDraft(dir)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s alike: %s\n", words.Count(len(g.Reviews), "card looks", "cards look"), became); err != nil {
			return fmt.Errorf("tell of drafts: %w", err)
		}
	}
	return nil
}

func (g *Group) writeDraft(dir string) (became string, err error) {
	d, ok := g.Draft()
	if !ok {
		return fmt.Sprintf("nothing may be told of fewer than %d different ones", LeastCards), nil
	}
	into := filepath.Join(dir, d.Kind)
	if _, err := os.Lstat(into); !errors.Is(err, fs.ErrNotExist) {
		return into + " is there already and is left as it is", nil
	}
	err = os.MkdirAll(into, 0o700)
	for name, text := range map[string]string{"description.txt": d.Description, "labels.txt": d.Labels} {
		if err == nil {
			err = folder.Replace(filepath.Join(into, name), []byte(text), (*os.File).Sync)
		}
	}
	if err != nil {
		return "", &appliance.Error{
			Op: "write draft", Msg: err.Error(), Hint: "name a folder that you may write to, on a disk with room",
			Err: errors.Join(err, os.RemoveAll(into)),
		}
	}
	return into + "\n  " + strings.Join(g.Words, " | "), nil
}
