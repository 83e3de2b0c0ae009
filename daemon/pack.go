package daemon

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

// checkTime is how long the check of a pack may take: many times what it takes on a slow board.
const checkTime = 3 * time.Minute

// CheckPack checks an unpacked set in a process of its own: a network that crashes its runtime must crash nothing else. That process
// is this program again, as `bawab models check DIR`, with environ.
func CheckPack(ctx context.Context, dir string, environ []string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("check models: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "models", "check", dir)
	cmd.Args[0] = "bawab"
	cmd.Env = environ
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	detail := err.Error()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "FAILED") || strings.HasPrefix(line, "bawab: error: ") {
			detail = strings.TrimPrefix(strings.TrimSpace(line), "bawab: error: ")
			break
		}
	}
	return &appliance.Error{
		Code: appliance.CodeBadRequest, Op: "check models", Msg: "the networks of the pack did not pass: " + words.OneLine(detail),
		Hint: "the models in use stay in use; tell the vendor",
	}
}

// mostLeft is how many files are named that do not come into a pack.
const mostLeft = 10

// PackMaking makes a pack of model sets.
type PackMaking struct {
	// Dir is the folder of the set, "" for the set in use, which gets a newer version.
	Dir string
	// Kinds is the folder of the kinds that the pack brings, "" for those of the set.
	Kinds string
	// Calibration is the file of the calibration that the pack brings, "" for that of the set.
	Calibration string
	// Out is the file to write, "" for bawab-models-VERSION.tar.
	Out string
	Key ed25519.PrivateKey
	// Load returns the configuration, which says what is in use.
	Load func() (*configs.Config, error)
	// Picture is told how each golden picture came out.
	Picture func(name string, err error)
}

// Run makes the pack and tells out what it made; errs is told what cannot be seen.
func (m *PackMaking) Run(ctx context.Context, out, errs io.Writer) (err error) {
	folder, signer := m.Dir, "models.vendor_key"
	if m.Kinds != "" || m.Calibration != "" {
		if folder, err = os.MkdirTemp("", "bawab-pack-"); err != nil {
			return fmt.Errorf("write model pack: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
		if err := m.gather(folder, errs); err != nil {
			return err
		}
		if m.Dir == "" {
			signer = "models.site_key"
		}
	}
	set, err := models.Load(os.DirFS(folder))
	if err != nil {
		return NotASet([]string{folder}, err)
	}
	check := engine.CheckKinds
	if set.Calibration() != nil { // by which the kinds of the program are read as well
		check = engine.CheckSet
	}
	if err := check(ctx, set, m.Picture); err != nil {
		return err
	}
	if err := m.warn(set, errs); err != nil {
		return err
	}
	var b bytes.Buffer
	info, err := pack.Write(&b, os.DirFS(folder), m.Key)
	if err != nil {
		return err
	}
	name := cmp.Or(m.Out, "bawab-models-"+SetName(info.Version)+".tar")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write model pack: %w", err)
	}
	_, err = fmt.Fprintf(
		out, "%s: version %d, %s, %s\n%s: %s\n", name, info.Version, words.Count(len(info.Files), "file", "files"), words.Size(int64(b.Len())),
		signer, proof.PublicText(m.Key.Public().(ed25519.PublicKey)),
	)
	return err
}

// warn tells what of the kinds does not come into the pack, and which of them nothing will check.
func (m *PackMaking) warn(set *models.Set, errs io.Writer) error {
	if m.Kinds != "" {
		left, err := engine.LeftOfKinds(m.Kinds)
		if err != nil {
			return err
		}
		for i, name := range left {
			if i == mostLeft {
				fmt.Fprintf(errs, "warning: %d more files do not come into the pack\n", len(left)-i)
				break
			}
			fmt.Fprintf(errs, "warning: %s does not come into the pack: beside the text of a kind only pictures that %s names do\n",
				filepath.Join(m.Kinds, name), models.TruthFile)
		}
	}
	bare, err := engine.WithoutGolden(set)
	for _, k := range bare {
		fmt.Fprintf(errs, "warning: the kind %s has no golden set: nothing tells here or on an appliance whether it reads its cards\n", k)
	}
	return err
}

// gather writes the set with its kinds into an empty folder.
func (m *PackMaking) gather(into string, errs io.Writer) (err error) {
	cfg, err := m.Load()
	if err != nil {
		return err
	}
	set, err := m.set(cfg, errs)
	if err != nil {
		return err
	}
	c, err := set.Contents(time.Now())
	if err != nil {
		return err
	}
	if m.Dir != "" {
		c.Version = set.Version()
	}
	return c.Write(into)
}

// set is the set of the folder, or the one in use, with the kinds and the calibration.
func (m *PackMaking) set(cfg *configs.Config, errs io.Writer) (*models.Set, error) {
	with := Choice{Kinds: m.Kinds, Calibration: m.Calibration}
	if m.Dir == "" {
		return with.InUse(cfg, errs)
	}
	return with.set(cfg, func() (*models.Set, error) {
		set, err := models.Load(os.DirFS(m.Dir))
		return set, NotASet([]string{m.Dir}, err)
	})
}

// NotASet names the folder in which a file of a model set is missing; dir holds at most one, none for the set of the program.
func NotASet(dir []string, err error) error {
	var missing *fs.PathError
	if len(dir) == 0 || !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &missing) {
		return err
	}
	e := appliance.Errorf(appliance.CodeBadRequest, "%s holds no %s", dir[0], missing.Path)
	e.Op, e.Hint = "read models", "name a folder with a manifest.json and the networks that it names"
	return e
}
