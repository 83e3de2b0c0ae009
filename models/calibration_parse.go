package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// ParseCalibration reads a calibration and checks that each number is one, stands once and has an origin. What is wrong is told with its
// line.
func ParseCalibration(text []byte) (Calibration, error) {
	r := calibrationReader{Decoder: json.NewDecoder(bytes.NewReader(text)), rest: text, line: 1}
	c := Calibration{sum: sha256.Sum256(text), lines: map[string]int{}, begun: map[string]int{}}
	err := r.object("the calibration", func(name string) error {
		switch name {
		case "form":
			if err := r.text(name, &c.Form); err != nil || c.Form == calibrationForm {
				return err
			}
			return r.fault("form %q, want %q", c.Form, calibrationForm)
		case "groups":
			return r.list(name, func() error { return r.group(&c) })
		}
		return r.fault("there is no member %s of a calibration", name)
	})
	c.last = r.at()
	if err != nil {
		return c, err
	}
	if c.Form == "" {
		return c, r.fault("it has no form, want %q", calibrationForm)
	}
	if _, err := r.Token(); err != io.EOF {
		return c, r.fault("something follows the calibration")
	}
	return c, nil
}

// calibrationReader takes the text of a calibration apart member by member, so that what is wrong is found in its line, and what stands
// twice is found at all.
type calibrationReader struct {
	*json.Decoder
	rest   []byte // behind the last line that was counted
	behind int64  // how far down the text that is
	line   int
}

// at is the line of what was read last.
func (r *calibrationReader) at() int {
	n := min(r.InputOffset()-r.behind, int64(len(r.rest)))
	r.line += bytes.Count(r.rest[:n], []byte{'\n'})
	r.rest, r.behind = r.rest[n:], r.behind+n
	return r.line
}

// fault says what is wrong with what was read last.
func (r *calibrationReader) fault(format string, args ...any) error {
	return faultAt(r.at(), format, args...)
}

// broken says what is no JSON.
func (r *calibrationReader) broken(err error) error {
	if err == io.EOF {
		return r.fault("it ends too early")
	}
	return r.fault("%v", err)
}

// open reads the bracket with which something begins.
func (r *calibrationReader) open(what string, bracket json.Delim, form string) error {
	switch t, err := r.Token(); {
	case err != nil:
		return r.broken(err)
	case t != bracket:
		return r.fault("%s is no %s", what, form)
	}
	return nil
}

// closed reads the bracket with which something ends.
func (r *calibrationReader) closed() error {
	if _, err := r.Token(); err != nil {
		return r.broken(err)
	}
	return nil
}

// object reads the members of an object; take reads the value of each. A name stands once.
func (r *calibrationReader) object(what string, take func(name string) error) error {
	if err := r.open(what, '{', "object"); err != nil {
		return err
	}
	seen := map[string]int{}
	for r.More() {
		t, err := r.Token()
		if err != nil {
			return r.broken(err)
		}
		name := t.(string) // the decoder takes nothing else for the name of a member
		if line, twice := seen[name]; twice {
			return r.fault("%s stands in line %d already", name, line)
		}
		seen[name] = r.at()
		if err := take(name); err != nil {
			return err
		}
	}
	return r.closed()
}

// list reads what stands in a list, each by take.
func (r *calibrationReader) list(what string, take func() error) error {
	if err := r.open(what, '[', "list"); err != nil {
		return err
	}
	for r.More() {
		if err := take(); err != nil {
			return err
		}
	}
	return r.closed()
}

// value reads a text or a number of that name.
func value[T string | float64](r *calibrationReader, name, form string, into *T) error {
	t, err := r.Token()
	var large *json.UnmarshalTypeError // no number of the machine's is so large
	if err != nil && !errors.As(err, &large) {
		return r.broken(err)
	}
	v, ok := t.(T)
	if !ok {
		return r.fault("%s is no %s", name, form)
	}
	*into = v
	return nil
}

func (r *calibrationReader) text(name string, into *string) error {
	return value(r, name, "text", into)
}

func (r *calibrationReader) number(name string, into *float64) error {
	return value(r, name, "number", into)
}

// group reads a group into a calibration.
func (r *calibrationReader) group(c *Calibration) error {
	g, begins := Group{Values: map[string]float64{}}, 0
	texts := map[string]*string{"name": &g.Name, "data_set": &g.DataSet, "date": &g.Date, "budget": &g.Budget}
	err := r.object("a group", func(name string) error {
		if begins == 0 {
			begins = r.at()
		}
		if into, ok := texts[name]; ok {
			return r.text(name, into)
		}
		switch name {
		case "n":
			var n float64
			err := r.number(name, &n)
			g.N = int(n)
			return err
		case "values":
			return r.object(name, func(name string) error { return r.row(c, &g, name) })
		case "neighbours":
			g.Neighbours = map[string]string{}
			return r.object(name, func(name string) error {
				var said string
				err := r.text(name, &said)
				g.Neighbours[name] = said
				return err
			})
		}
		return r.fault("there is no member %s of a group", name)
	})
	if err != nil {
		return err
	}
	if begins == 0 {
		begins = r.at()
	}
	if _, err := time.Parse(time.DateOnly, g.Date); err != nil || g.Name == "" || g.DataSet == "" || g.Budget == "" || g.N < 1 {
		return faultAt(begins, "group %q lacks its name, data set, count, date or budget", g.Name)
	}
	if line, twice := c.begun[g.Name]; twice {
		return faultAt(begins, "group %s stands in line %d already", g.Name, line)
	}
	c.begun[g.Name], c.Groups = begins, append(c.Groups, g)
	return nil
}

// row reads a number of a group.
func (r *calibrationReader) row(c *Calibration, g *Group, name string) error {
	var v float64
	if line, twice := c.lines[name]; twice {
		return r.fault("%s stands in line %d already", name, line)
	}
	c.lines[name] = r.at()
	err := r.number(name, &v)
	g.Values[name] = v
	return err
}
