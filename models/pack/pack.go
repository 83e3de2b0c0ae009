package pack

import (
	"archive/tar"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/models"
)

// Format names the form of packs that this package writes and reads.
const Format = "bawab-models/1"

// signed is the purpose of the signature of a pack.
const signed proof.SignedPurpose = "models"

// Bounds of a pack, in bytes. A set of today has 4 MiB.
const (
	maxInfo  = 64 << 10
	maxFile  = 64 << 20
	maxTotal = 256 << 20
	maxFiles = 200
	// maxTail is what a tar file may have behind its last entry: zeros up to a block of its writer.
	maxTail = 1 << 20
)

const (
	signatureName = "pack.sig"
	infoName      = "pack.json"
	manifestName  = "manifest.json"
)

// Info describes a pack; it is what is signed.
type Info struct {
	// By says who signed it; it is known from the signature alone.
	By      string `json:"-"`
	Format  string `json:"format"`
	Version uint64 `json:"version"`
	Files   []File `json:"files"`
}

// File is one file of a pack. SHA256 is in lower-case hexadecimal.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// What is wrong with a pack; errors.Is finds these in the errors of this package.
var (
	ErrForm     = errors.New("the file is no model pack")
	ErrUnsigned = errors.New("the pack is signed neither by the vendor of this appliance nor by its site")
	ErrTampered = errors.New("the pack was changed after it was signed")
	ErrPartial  = errors.New("the pack is incomplete")
	ErrOld      = errors.New("the pack is not newer than the models in use")
	ErrLarge    = errors.New("the pack is too large")
)

// refused says what is wrong with a pack and what to do.
func refused(kind error, format string, args ...any) error {
	hints := map[error]string{
		ErrForm: "give the file that the vendor sent", ErrTampered: "get the pack from the vendor again",
		ErrPartial: "get the pack from the vendor again, whole", ErrLarge: "get the pack from the vendor again",
		ErrUnsigned: "check models.vendor_key, or models.site_key for a pack of `bawab learn`, and where the pack comes from",
		ErrOld:      "to go back to the models before, use `bawab models rollback`",
	}
	msg := "refused"
	if format != "" {
		msg = fmt.Sprintf(format, args...)
	}
	return &appliance.Error{Code: appliance.CodeBadRequest, Op: "read model pack", Msg: msg, Hint: hints[kind], Err: kind}
}

var fileName = regexp.MustCompile(`^[a-z0-9][a-z0-9_]{0,40}\.(tflite|json)$`)

// check finds what no pack of ours can say about itself.
func (i Info) check() error {
	if i.Format != Format {
		return refused(ErrForm, "its format is not %s", Format)
	}
	if i.Version == 0 || len(i.Files) < 1 || len(i.Files) > maxFiles {
		return refused(ErrForm, "version %d with %d files", i.Version, len(i.Files))
	}
	total, names := int64(0), map[string]bool{}
	for _, f := range i.Files {
		if !fileName.MatchString(f.Name) && !models.IsKindFile(f.Name) || f.Name == infoName || names[f.Name] || len(f.SHA256) != 2*sha256.Size {
			return refused(ErrForm, "a file in it has no proper name or sum")
		}
		if names[f.Name] = true; f.Size < 0 || f.Size > maxFile {
			return refused(ErrLarge, "%s has %d bytes", f.Name, f.Size)
		}
		total += f.Size
	}
	if total > maxTotal {
		return refused(ErrLarge, "%d bytes", total)
	}
	if !names[manifestName] {
		return refused(ErrForm, "it has no %s", manifestName)
	}
	return nil
}

// Write makes a pack of the model set in a folder: its manifest and the files that this names. The set must be sound,
// and have a version. key is the private key of its signer.
func Write(w io.Writer, folder fs.FS, key ed25519.PrivateKey) (Info, error) {
	signer, err := proof.NewIdentity(key.Seed())
	if err != nil {
		return Info{}, fmt.Errorf("write model pack: %w", err)
	}
	set, err := models.Load(folder)
	if err != nil {
		return Info{}, fmt.Errorf("write model pack: %w", err)
	}
	manifest, err := fs.ReadFile(folder, manifestName)
	if err != nil {
		return Info{}, fmt.Errorf("write model pack: %w", err)
	}
	contents := map[string][]byte{manifestName: manifest}
	for _, m := range set.List() {
		if contents[m.File], err = fs.ReadFile(folder, m.File); err != nil {
			return Info{}, fmt.Errorf("write model pack: %w", err)
		}
	}
	maps.Copy(contents, brought(set))
	info := Info{Format: Format, Version: set.Version()}
	for name, b := range contents {
		sum := sha256.Sum256(b)
		info.Files = append(info.Files, File{name, int64(len(b)), hex.EncodeToString(sum[:])})
	}
	slices.SortFunc(info.Files, func(a, b File) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	if err := info.check(); err != nil {
		return Info{}, fmt.Errorf("write model pack: %w", err)
	}
	text, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return Info{}, fmt.Errorf("write model pack: %w", err)
	}
	t := tar.NewWriter(w)
	put := func(name string, b []byte) {
		if err == nil {
			err = t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(b)), Format: tar.FormatUSTAR})
		}
		if err == nil {
			_, err = t.Write(b)
		}
	}
	put(signatureName, signer.Sign(signed, text))
	put(infoName, text)
	for _, f := range info.Files {
		put(f.Name, contents[f.Name])
	}
	if err := errors.Join(err, t.Close()); err != nil {
		return Info{}, fmt.Errorf("write model pack: %w", err)
	}
	return info, nil
}

// Unpack reads a pack into dir, an empty folder, and verifies all of it: signature, names, sizes, sums and the model set
// as a whole. accept is asked as soon as the signature was found good; it may be nil. After an error dir may hold a part.
func Unpack(r io.Reader, from Signers, dir string, accept func(Info) error) (Info, error) {
	r = io.LimitReader(r, maxTotal+maxInfo+maxTail)
	t := tar.NewReader(r)
	signature, err := member(t, signatureName, ed25519.SignatureSize)
	if err != nil {
		return Info{}, err
	}
	text, err := member(t, infoName, maxInfo)
	if err != nil {
		return Info{}, err
	}
	info, err := parse(from, text, signature)
	if err == nil && accept != nil {
		err = accept(info)
	}
	if err != nil {
		return Info{}, err
	}
	if err := errors.Join(save(dir, signatureName, signature), save(dir, infoName, text)); err != nil {
		return info, err
	}
	for _, f := range info.Files {
		b, err := member(t, f.Name, f.Size)
		if err != nil {
			return info, err
		}
		if err := save(dir, f.Name, b); err != nil {
			return info, err
		}
	}
	if err := end(t, r); err != nil {
		return info, err
	}
	_, _, err = Open(dir, from) // compares the sums, of what lies on the disk
	return info, err
}

// member reads the next entry of a pack, which must be the named one, of at most limit bytes.
func member(t *tar.Reader, name string, limit int64) ([]byte, error) {
	h, err := t.Next()
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, refused(ErrPartial, "%s is missing", name)
	case err != nil:
		return nil, refused(ErrForm, "before %s", name)
	case h.Typeflag != tar.TypeReg || h.Name != name:
		return nil, refused(ErrForm, "something else stands in the place of %s", name)
	case h.Size > limit:
		return nil, refused(ErrLarge, "%s has %d bytes", name, h.Size)
	}
	b, err := io.ReadAll(io.LimitReader(t, limit+1))
	if err != nil {
		return nil, refused(ErrPartial, "%s is cut off", name)
	}
	return b, nil
}

// parse reads the description of a pack and checks who signed it.
func parse(from Signers, text, signature []byte) (Info, error) {
	info := Info{By: from.by(text, signature)}
	if info.By == "" {
		return Info{}, refused(ErrUnsigned, "")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&info); err != nil {
		return Info{}, refused(ErrForm, "%s cannot be read", infoName)
	}
	return info, info.check()
}

// end sees to it that nothing follows the last entry but the zeros with which tar fills its last block.
func end(t *tar.Reader, r io.Reader) error {
	if _, err := t.Next(); err == nil {
		return refused(ErrTampered, "it holds more files than were signed")
	} else if err != io.EOF {
		return refused(ErrPartial, "its end is missing")
	}
	rest, err := io.ReadAll(io.LimitReader(r, maxTail))
	if err != nil {
		return refused(ErrPartial, "its end cannot be read")
	}
	if len(rest) == maxTail || len(bytes.Trim(rest, "\x00")) > 0 {
		return refused(ErrTampered, "bytes follow its end")
	}
	return nil
}

// save puts a file on disk.
func save(dir, name string, b []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("unpack models: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("unpack models: %w", err)
	}
	_, err = f.Write(b)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("unpack models: %w", err)
	}
	return nil
}

// description reads the description of an unpacked set and its signature, which is not checked.
func description(dir string) (text, signature []byte, err error) {
	if text, err = limited(dir, infoName); err != nil {
		return nil, nil, refused(ErrPartial, "%s is missing", infoName)
	}
	if signature, err = limited(dir, signatureName); err != nil {
		return nil, nil, refused(ErrPartial, "%s is missing", signatureName)
	}
	return text, signature, nil
}

// Open verifies an unpacked set as a whole and loads it.
func Open(dir string, from Signers) (*models.Set, Info, error) {
	text, signature, err := description(dir)
	if err != nil {
		return nil, Info{}, err
	}
	info, err := parse(from, text, signature)
	if err != nil {
		return nil, Info{}, err
	}
	for _, f := range info.Files {
		if err := f.verify(dir); err != nil {
			return nil, info, err
		}
	}
	set, err := models.Load(os.DirFS(dir))
	if err != nil {
		return nil, info, refused(ErrForm, "%v", err)
	}
	if name := info.unsigned(set); name != "" {
		return nil, info, refused(ErrTampered, "%s was not signed", name)
	}
	if set.Version() != info.Version {
		return nil, info, refused(ErrForm, "its manifest is of version %d, the pack of version %d", set.Version(), info.Version)
	}
	return set, info, nil
}

// brought are the files that a set brings beside its networks, by their names.
func brought(set *models.Set) map[string][]byte {
	out := maps.Clone(set.Kinds())
	for name, content := range map[string][]byte{models.SiteFile: set.Site(), models.CalibrationFile: set.Calibration()} {
		if content != nil {
			out[name] = content
		}
	}
	return out
}

// unsigned names a file that a set was loaded with and the pack does not list; "" where there is none.
func (i Info) unsigned(set *models.Set) string {
	listed := func(name string) bool {
		return slices.ContainsFunc(i.Files, func(f File) bool { return f.Name == name })
	}
	for name := range brought(set) {
		if !listed(name) {
			return name
		}
	}
	return ""
}

func limited(dir, name string) ([]byte, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxInfo))
}

// verify compares a file on disk with its sum.
func (f File) verify(dir string) error {
	in, err := os.Open(filepath.Join(dir, f.Name))
	if err != nil {
		return refused(ErrPartial, "%s is missing", f.Name)
	}
	defer in.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(in, f.Size+1))
	if err != nil {
		return fmt.Errorf("verify models: %w", err)
	}
	if n < f.Size {
		return refused(ErrPartial, "%s is cut off", f.Name)
	}
	if n > f.Size || hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
		return refused(ErrTampered, "%s is not the file that was signed", f.Name)
	}
	return nil
}
