package models

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed calibration.json
var calibration []byte

// calibrationForm is the version of the file's form.
const calibrationForm = "bawab.calibration/1"

// Calibration holds the numbers that decide what the document engine answers. `bawab eval fit` writes it; nothing in it is edited by hand.
// No pack brings one: that of the program holds for every set, and lacks nothing that the program asks for.
type Calibration struct {
	Form   string  `json:"form"`
	Groups []Group `json:"groups"`
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
func NewCalibration(groups ...Group) Calibration { return Calibration{calibrationForm, groups} }

// OpenCalibration returns the calibration in the program.
func OpenCalibration() (Calibration, error) { return ParseCalibration(calibration) }

// ParseCalibration reads a calibration and checks that each number is one, stands once and has an origin.
func ParseCalibration(b []byte) (Calibration, error) {
	var c Calibration
	if err := json.Unmarshal(b, &c); err != nil {
		return c, fmt.Errorf("parse calibration: %w", err)
	}
	if c.Form != calibrationForm {
		return c, fmt.Errorf("parse calibration: form %q, want %q", c.Form, calibrationForm)
	}
	owner := map[string]string{}
	for _, g := range c.Groups {
		if _, err := time.Parse(time.DateOnly, g.Date); err != nil || g.Name == "" || g.DataSet == "" || g.Budget == "" || g.N < 1 {
			return c, fmt.Errorf("parse calibration: group %q lacks its data set, count, date or budget", g.Name)
		}
		for name, v := range g.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return c, fmt.Errorf("parse calibration: %s of group %s is no number", name, g.Name)
			}
			if o, ok := owner[name]; ok {
				return c, fmt.Errorf("parse calibration: %s stands in group %s and in group %s", name, o, g.Name)
			}
			owner[name] = g.Name
		}
	}
	return c, nil
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
func (c Calibration) Fill(into any) error { return fill(reflect.ValueOf(into).Elem(), c.Values()) }

func fill(s reflect.Value, numbers map[string]float64) (faults error) {
	for i := range s.NumField() {
		f, to := s.Type().Field(i), s.Field(i)
		v, ok := numbers[NameOf(f)]
		switch most := MostOf(f); {
		case to.Kind() == reflect.Struct:
			faults = errors.Join(faults, fill(to, numbers))
		case to.Kind() == reflect.Map:
			to.Set(reflect.ValueOf(numbers).Convert(to.Type()))
		case !ok:
			faults = errors.Join(faults, fmt.Errorf("calibration: there is no number %q", NameOf(f)))
		case !(v > 0 && v <= most):
			faults = errors.Join(faults, fmt.Errorf("calibration: %q is %v, it must be above 0 and at most %v", NameOf(f), v, most))
		case to.CanFloat():
			to.SetFloat(v)
		case v == math.Trunc(v):
			to.SetInt(int64(v))
		default:
			faults = errors.Join(faults, fmt.Errorf("calibration: %q is %v, it must be whole", NameOf(f), v))
		}
	}
	return faults
}
