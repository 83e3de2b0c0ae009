package inference

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/mattn/go-tflite"
)

// interpreter is a network as it runs at one place. It is one goroutine's at a
// time, and shares its working memory with the others of the place.
type interpreter struct {
	native  *tflite.Interpreter
	options *tflite.InterpreterOptions
	input   *tflite.Tensor
	output  *tflite.Tensor
}

// newInterpreter prepares a network for running with the delegate of a place,
// which may be nil, and holds it against its contract; resized tells that the
// input is not as wide as the file has it. On an error everything it made is
// freed.
func newInterpreter(model *tflite.Model, d *delegate, input, output Tensor, resized bool) (_ *interpreter, err error) {
	i := &interpreter{}
	defer func() {
		if err != nil {
			i.free()
		}
	}()
	if i.options = tflite.NewInterpreterOptions(); i.options == nil {
		return nil, errors.New("create interpreter options")
	}
	i.options.SetNumThread(1)
	if d != nil {
		i.options.AddDelegate(d)
	}
	if i.native = tflite.NewInterpreter(model, i.options); i.native == nil {
		return nil, errors.New("create interpreter: the runtime refuses the network")
	}
	if resized {
		if s := i.resize(input.Shape); s != tflite.OK {
			return nil, fmt.Errorf("resize input to %v: status %d", input.Shape, s)
		}
	}
	if s := i.native.AllocateTensors(); s != tflite.OK {
		return nil, fmt.Errorf("allocate tensors: status %d", s)
	}
	if in, out := i.native.GetInputTensorCount(), i.native.GetOutputTensorCount(); in != 1 || out != 1 {
		return nil, fmt.Errorf("network has %d inputs and %d outputs, not one of each", in, out)
	}
	i.input, i.output = i.native.GetInputTensor(0), i.native.GetOutputTensor(0)
	if err := compare(i.input, input); err != nil {
		return nil, fmt.Errorf("input %w", err)
	}
	if err := compare(i.output, output); err != nil {
		return nil, fmt.Errorf("output %w", err)
	}
	return i, nil
}

// resize gives the input another shape than the file's.
func (i *interpreter) resize(shape []int) tflite.Status {
	dims := make([]int32, len(shape))
	for k, d := range shape {
		dims[k] = int32(d)
	}
	return i.native.ResizeInputTensor(0, dims)
}

// compare holds a native tensor against the manifest.
func compare(t *tflite.Tensor, want Tensor) error {
	q := t.QuantizationParams()
	switch {
	case t.Name() != want.Name:
		return fmt.Errorf("is named %q, the manifest says %q", t.Name(), want.Name)
	case !slices.Equal(t.Shape(), want.Shape):
		return fmt.Errorf("has shape %v, the manifest says %v", t.Shape(), want.Shape)
	case t.Type() != tflite.Int8 || want.Type != "int8":
		return fmt.Errorf("has type number %d, the manifest says %q; only int8 runs here", t.Type(), want.Type)
	case float32(q.Scale) != want.Scale || q.ZeroPoint != want.ZeroPoint:
		return fmt.Errorf("has scale %g and zero point %d, the manifest says %g and %d",
			float32(q.Scale), q.ZeroPoint, want.Scale, want.ZeroPoint)
	case t.ByteSize() != uint(want.Len()):
		return fmt.Errorf("has %d bytes for %d elements", t.ByteSize(), want.Len())
	}
	return nil
}

// run copies in, invokes, copies out. The tensors' memory is asked for each
// time: it is the runtime's and holds only until the next call.
func (i *interpreter) run(in, out []int8) error {
	copy(memory(i.input), in)
	if s := i.native.Invoke(); s != tflite.OK {
		return fmt.Errorf("invoke: status %d", s)
	}
	copy(out, memory(i.output))
	return nil
}

// memory is the tensor's own memory, whose length compare has checked.
func memory(t *tflite.Tensor) []int8 {
	return unsafe.Slice((*int8)(t.Data()), int(t.ByteSize()))
}

// free releases what exists, in the order in which one uses the other.
func (i *interpreter) free() {
	i.native.Delete()
	i.options.Delete()
}
