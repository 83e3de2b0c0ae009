package inference

/*
#include <stdbool.h>
#include <stdlib.h>
#include <tensorflow/lite/c/common.h>

typedef struct TfLiteXNNPackDelegateWeightsCache weights_cache;

// The library's options begin with these members. It returns and takes the
// whole struct, which grows from version to version: the rest is room for it.
typedef struct {
	int32_t num_threads;
	uint32_t flags;
	weights_cache *weights;
	char rest[240];
} xnnpack_options;

enum { XNNPACK_SIGNED_INT8 = 1, XNNPACK_UNSIGNED_INT8 = 2, XNNPACK_TRANSIENT_INDIRECTION = 0x20 };

xnnpack_options TfLiteXNNPackDelegateOptionsDefault(void);
TfLiteDelegate *TfLiteXNNPackDelegateCreate(const xnnpack_options *options);
void TfLiteXNNPackDelegateDelete(TfLiteDelegate *delegate);
weights_cache *TfLiteXNNPackDelegateWeightsCacheCreate(void);
bool TfLiteXNNPackDelegateWeightsCacheFinalizeHard(weights_cache *cache);
void TfLiteXNNPackDelegateWeightsCacheDelete(weights_cache *cache);

// A delegate that lets XNNPACK do all the work and notes how many steps the
// network had before and has after: with other flags, or a graph that it does
// not like, XNNPACK takes nothing and says nothing.
typedef struct {
	TfLiteDelegate base; // first: the runtime sees only this
	TfLiteDelegate *xnnpack;
	int before, after;
} counting_delegate;

static int count_steps(TfLiteContext *context) {
	TfLiteIntArray *plan = NULL;
	return context->GetExecutionPlan(context, &plan) == kTfLiteOk && plan ? plan->size : 0;
}

static TfLiteStatus prepare_counting(TfLiteContext *context, TfLiteDelegate *delegate) {
	counting_delegate *d = (counting_delegate *)delegate;
	d->before = count_steps(context);
	TfLiteStatus status = d->xnnpack->Prepare(context, delegate);
	d->after = count_steps(context);
	return status;
}

static counting_delegate *new_delegate(weights_cache *weights, bool transient) {
	xnnpack_options options = TfLiteXNNPackDelegateOptionsDefault();
	options.num_threads = 1;
	options.weights = weights;
	options.flags |= XNNPACK_SIGNED_INT8 | XNNPACK_UNSIGNED_INT8;
	if (transient) options.flags |= XNNPACK_TRANSIENT_INDIRECTION;
	TfLiteDelegate *xnnpack = TfLiteXNNPackDelegateCreate(&options);
	counting_delegate *d = xnnpack ? calloc(1, sizeof *d) : NULL;
	if (d) {
		d->base = *xnnpack;
		d->base.Prepare = prepare_counting;
		d->xnnpack = xnnpack;
	}
	return d;
}

static void free_delegate(counting_delegate *d) {
	TfLiteXNNPackDelegateDelete(d->xnnpack);
	free(d);
}

// The runtime announces the delegate on standard error for each interpreter.
// This is the C++ function that sets what it prints: 2 is errors only.
int tflite_minimum_severity(int) __asm__("_ZN6tflite16logging_internal13MinimalLogger21SetMinimumLogSeverityENS_11LogSeverityE");
*/
import "C"

import "unsafe"

// delegate hands networks to XNNPACK, the fast kernels of the runtime. It owns
// the working memory of all that it has prepared, which therefore run one at a
// time, and outlives them. It satisfies the interface that go-tflite wants of a
// delegate.
type delegate struct{ c *C.counting_delegate }

// newDelegate returns nil where XNNPACK does not run on this processor. A transient delegate finds out anew at each run where the inputs of
// a convolution lie, and keeps no list of them.
func newDelegate(w *packedWeights, transient bool) *delegate {
	C.tflite_minimum_severity(2)
	c := C.new_delegate(w.c, C.bool(transient))
	if c == nil {
		return nil
	}
	return &delegate{c}
}

// Ptr is the native delegate.
func (d *delegate) Ptr() unsafe.Pointer { return unsafe.Pointer(d.c) }

// Delete frees it; the interpreters must be gone.
func (d *delegate) Delete() {
	C.free_delegate(d.c)
	d.c = nil
}

// tookAll reports whether XNNPACK took every step of the network that was prepared
// last: a single one that it leaves alone can cost more than all the others. It
// took nothing where there is no delegate.
func (d *delegate) tookAll() bool { return d != nil && d.c.before > 1 && d.c.after == 1 }

// packedWeights are the weights of all networks as XNNPACK wants them, which
// the delegates that were made with them share: else each interpreter packs a
// copy of its own. They outlive the delegates. Where the library has no room for
// them each interpreter does.
type packedWeights struct{ c *C.weights_cache }

func newPackedWeights() *packedWeights {
	return &packedWeights{C.TfLiteXNNPackDelegateWeightsCacheCreate()}
}

// seal ends the packing. Before it no interpreter runs, after it none is made.
func (w *packedWeights) seal() bool {
	return w.c == nil || bool(C.TfLiteXNNPackDelegateWeightsCacheFinalizeHard(w.c))
}

// Delete frees them; the delegates must be gone.
func (w *packedWeights) Delete() {
	if w.c != nil {
		C.TfLiteXNNPackDelegateWeightsCacheDelete(w.c)
	}
	w.c = nil
}
