package engine

import (
	"context"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/documents/egypt"
	"github.com/bawab/bawab/models"
)

// Numbers is the calibration by which a set is read. One that the set brings must be able to take the place of the program's.
func Numbers(set *models.Set) (models.Calibration, error) {
	c, err := set.Numbers()
	if err != nil || set.Calibration() == nil {
		return c, err
	}
	program, err := models.OpenCalibration()
	if err != nil {
		return c, err
	}
	decoders := map[string]bool{}
	for name := range egypt.Knowledge().Decoders {
		decoders[name] = true
	}
	return c, c.Replaces(program, decoders)
}

// CheckCalibration reads the reference pictures of kinds that are read by the calibration, where the set brings one: numbers that are all
// as they may be can still read nothing.
func (e *Engine) CheckCalibration(ctx context.Context) error {
	if e.Set.Calibration() == nil {
		return nil
	}
	list, err := models.References()
	if err != nil {
		return err
	}
	for k := range e.cards {
		endpoint, _ := appliance.EndpointOf(k)
		for _, r := range list {
			if r.Endpoint != string(endpoint) {
				continue
			}
			if err := checkReference(ctx, e, r); err != nil {
				return fmt.Errorf("read by %s: %w", models.CalibrationFile, err)
			}
		}
	}
	return nil
}

// WithCalibration is a set with the calibration of a file in the place of its own.
func WithCalibration(set *models.Set, file string) (*models.Set, error) {
	const hint = "`bawab eval fit` writes a calibration"
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &appliance.Error{Op: "read calibration", Msg: err.Error(), Hint: hint}
	}
	with := set.WithCalibration(text)
	if _, err := Numbers(with); err != nil {
		return nil, &appliance.Error{Code: appliance.CodeBadRequest, Op: "read calibration", Msg: fmt.Sprint(err), Hint: hint}
	}
	return with, nil
}
