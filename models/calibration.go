package models

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

//go:embed calibration.json
var calibration []byte

// calibrationForm is the version of the file's form.
const calibrationForm = "bawab.calibration/1"

// CalibrationFile is the name of the calibration beside the model files, where a set brings one.
const CalibrationFile = "calibration.json"

// mostCalibrationBytes bounds a calibration: thirty times that of the program.
const mostCalibrationBytes = 8 << 20

// Calibration holds the numbers that decide what the document engine answers. `bawab eval fit` writes it; nothing in it is edited by hand.
// That of the program holds for every set that brings none.
type Calibration struct {
	Form   string  `json:"form"`
	Groups []Group `json:"groups"`

	brought bool              // by a set
	sum     [sha256.Size]byte // of the file
	// lines are those of the file in which each number stands, and begun those in which each group begins; last is the file's last one.
	lines, begun map[string]int
	last         int
}

// Group is a set of numbers with one origin.
type Group struct {
	Name string `json:"name"`
	// DataSet is what the numbers were fitted on, and N how many examples of it they were fitted to.
	DataSet string `json:"data_set"`
	N       int    `json:"n"`
	Date    string `json:"date"`   // YYYY-MM-DD
	Budget  string `json:"budget"` // the error that they accept
	// Values are the numbers, by name.
	Values map[string]float64 `json:"values"`
	// Neighbours says of numbers, by name, what comes of other values near theirs on the data set.
	Neighbours map[string]string `json:"neighbours,omitempty"`
}

// NewCalibration is a calibration of some groups.
func NewCalibration(groups ...Group) Calibration {
	return Calibration{Form: calibrationForm, Groups: groups}
}

// OpenCalibration returns the calibration in the program. A test has parsed it: here it is not looked at line by line, which takes three
// times as long.
func OpenCalibration() (c Calibration, err error) {
	if err := json.Unmarshal(calibration, &c); err != nil {
		return c, fmt.Errorf("open calibration: %w", err)
	}
	c.sum = sha256.Sum256(calibration)
	return c, nil
}

// Origin says which calibration one is.
type Origin struct {
	Brought bool   // by a set: it is not that of the program
	Date    string // on which the newest of its numbers were made, YYYY-MM-DD
	SHA256  string // of the file, in lower-case hexadecimal
}

// String is the origin as people read it.
func (o Origin) String() string {
	of := "of the program"
	if o.Brought {
		of = "of the pack"
	}
	return fmt.Sprintf("%s, %s, SHA-256 %s", of, o.Date, o.SHA256)
}

// Origin is that of a calibration that was read.
func (c Calibration) Origin() Origin {
	o := Origin{Brought: c.brought, SHA256: hex.EncodeToString(c.sum[:])}
	for _, g := range c.Groups {
		o.Date = max(o.Date, g.Date)
	}
	return o
}

// Values returns the numbers of all groups by name.
func (c Calibration) Values() map[string]float64 {
	out := map[string]float64{}
	for _, g := range c.Groups {
		for name, v := range g.Values {
			out[name] = v
		}
	}
	return out
}

// capital is where a word of a name in Go begins.
var capital = regexp.MustCompile(`\B[A-Z]`)

// NameOf is the name of the number that a struct's field takes: WordGap is "word gap".
func NameOf(f reflect.StructField) string {
	return strings.ToLower(capital.ReplaceAllString(f.Name, " $0"))
}

// MostOf is how much the number of a struct's field may be at most: what its tag "most" says.
func MostOf(f reflect.StructField) float64 {
	if most, err := strconv.ParseFloat(f.Tag.Get("most"), 64); err == nil {
		return most
	}
	return math.MaxInt32
}

// Fill gives a struct, and those in it, the numbers of their fields' names, and a map all numbers. Each number must be there and above 0,
// at most MostOf, and whole where it counts something.
func (c Calibration) Fill(into any) error { return c.fill(reflect.ValueOf(into).Elem(), c.Values()) }

func (c Calibration) fill(s reflect.Value, numbers map[string]float64) (faults error) {
	fault := func(f reflect.StructField, format string, args ...any) {
		faults = errors.Join(faults, faultAt(c.lines[NameOf(f)], format, args...))
	}
	for i := range s.NumField() {
		f, to := s.Type().Field(i), s.Field(i)
		v, ok := numbers[NameOf(f)]
		switch most := MostOf(f); {
		case to.Kind() == reflect.Struct:
			faults = errors.Join(faults, c.fill(to, numbers))
		case to.Kind() == reflect.Map:
			to.Set(reflect.ValueOf(numbers).Convert(to.Type()))
		case !ok:
			fault(f, "there is no number %q", NameOf(f))
		case !(v > 0 && v <= most):
			fault(f, "%q is %v, it must be above 0 and at most %v", NameOf(f), v, most)
		case to.CanFloat():
			to.SetFloat(v)
		case v == math.Trunc(v):
			to.SetInt(int64(v))
		default:
			fault(f, "%q is %v, it must be whole", NameOf(f), v)
		}
	}
	return faults
}

// faultAt says what is wrong in a line of a calibration; 0 is none that is known.
func faultAt(line int, format string, args ...any) error {
	where := CalibrationFile
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	return fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...))
}
