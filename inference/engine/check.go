package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/models"
)

// Embedded opens the model set in the program.
func Embedded() (*models.Set, error) {
	set, err := models.Open()
	if err != nil {
		return nil, &appliance.Error{
			Op: "open models", Msg: "a network in this binary is damaged",
			Hint: "install bawab again; `bawab models verify` names the file", Err: err,
		}
	}
	return set, nil
}

// referencePictures are how pictures are decoded for a check of networks, whatever the configuration allows callers.
func referencePictures() configs.Picture {
	return configs.Picture{MaxBytes: 8 << 20, MaxPixels: 25_000_000, MinSide: 64}
}

// CheckSet reads the reference pictures with a model set and tells of each whether it came out as it must, or why not. Every network
// must load, hold its contract and run on the fast kernels wherever those of the program do.
func CheckSet(ctx context.Context, set *models.Set, told func(picture string, err error)) (err error) {
	e, err := OpenSet(ctx, set, referencePictures(), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if slow := e.Networks.Slow(); len(slow) > 0 && len(inference.Features()) > 0 {
		e := appliance.Errorf(appliance.CodeInternal, "network %s runs without the fast kernels", slow[0])
		e.Op = "check models"
		return e
	}
	list, err := models.References()
	if err != nil {
		return err
	}
	var errs []error
	for _, r := range list {
		err := checkReference(ctx, e, r)
		told(r.Name, err)
		errs = append(errs, err)
	}
	blank := checkBlank(ctx, e)
	if blank != nil {
		told("blank", blank)
	}
	errs = append(errs, checkKinds(ctx, e, set, told)...)
	if err := errors.Join(append(errs, blank)...); err != nil {
		return &appliance.Error{
			Op: "check models", Msg: "these networks do not read the reference pictures",
			Hint: "the models in use stay in use; tell the vendor", Err: err,
		}
	}
	return nil
}

// checkReference reads one reference picture.
func checkReference(ctx context.Context, e *Engine, r models.Reference) error {
	p, err := e.Decoder.Decode(ctx, r.Picture)
	if err != nil {
		return fmt.Errorf("read %s: %w", r.Name, err)
	}
	reading, err := e.Readers()[appliance.Endpoint(r.Endpoint)].Read(ctx, p, nil)
	if err != nil {
		return fmt.Errorf("read %s: %w", r.Name, err)
	}
	if len(reading.Documents) == 0 {
		return differently(r.Name, appliance.Errorf(appliance.CodeInternal, "no document was found"))
	}
	for name, want := range r.Fields {
		if got := reading.Documents[0].Field(name).Value; got != want {
			return differently(r.Name, appliance.Errorf(appliance.CodeInternal, "%s comes out differently", name))
		}
	}
	return nil
}

// differently names the picture that came out differently.
func differently(picture string, e *appliance.Error) error {
	e.Op = "read " + picture
	return e
}

// checkBlank sees to it that networks that find a document in everything do not pass.
func checkBlank(ctx context.Context, e *Engine) error {
	m := image.NewGray(image.Rect(0, 0, 640, 480))
	for i := range m.Pix {
		m.Pix[i] = 0xff
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return fmt.Errorf("draw a blank picture: %w", err)
	}
	p, err := e.Decoder.Decode(ctx, b.Bytes())
	if err != nil {
		return fmt.Errorf("read a blank picture: %w", err)
	}
	reading, err := e.Readers()[appliance.EndpointPassport].Read(ctx, p, nil)
	return foundNothing(len(reading.Documents), err)
}

// foundNothing is what a reading of a blank picture must come to; any other failure tells nothing of the networks.
func foundNothing(documents int, err error) error {
	switch {
	case err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument:
		return fmt.Errorf("read a blank picture: %w", err)
	case err == nil && documents > 0:
		return differently("a blank picture", appliance.Errorf(appliance.CodeInternal, "a document was found where there is none"))
	}
	return nil
}
