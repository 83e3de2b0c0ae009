package models

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"time"
)

//go:embed calibration.json
var calibration []byte

// calibrationForm is the version of the file's form.
const calibrationForm = "bawab.calibration/1"

// Calibration holds the numbers that decide what the document engine answers. `bawab eval fit` writes it; nothing in it is edited by hand.
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
