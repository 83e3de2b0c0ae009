package inference

/*
#include <stdlib.h>
#include <tensorflow/lite/c/common.h>

// The library's options begin with these two members. It returns and takes the
// whole struct, which grows from version to version: the rest is room for it.
typedef struct {
	int32_t num_threads;
	uint32_t flags;
	char rest[248];
} xnnpack_options;

enum { XNNPACK_SIGNED_INT8 = 1, XNNPACK_UNSIGNED_INT8 = 2 };

xnnpack_options TfLiteXNNPackDelegateOptionsDefault(void);
TfLiteDelegate *TfLiteXNNPackDelegateCreate(const xnnpack_options *options);
void TfLiteXNNPackDelegateDelete(TfLiteDelegate *delegate);

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

static counting_delegate *new_delegate(void) {
	xnnpack_options options = TfLiteXNNPackDelegateOptionsDefault();
	options.num_threads = 1;
	options.flags |= XNNPACK_SIGNED_INT8 | XNNPACK_UNSIGNED_INT8;
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

// delegate hands a network to XNNPACK, the fast kernels of the runtime. It
// belongs to one interpreter and outlives it. It satisfies the interface that
// go-tflite wants of a delegate.
type delegate struct{ c *C.counting_delegate }

// newDelegate returns nil where XNNPACK does not run on this processor.
func newDelegate() *delegate {
	C.tflite_minimum_severity(2)
	c := C.new_delegate()
	if c == nil {
		return nil
	}
	return &delegate{c}
}

// Ptr is the native delegate.
func (d *delegate) Ptr() unsafe.Pointer { return unsafe.Pointer(d.c) }

// Delete frees it; the interpreter must be gone.
func (d *delegate) Delete() {
	C.free_delegate(d.c)
	d.c = nil
}

// steps is how many steps the network had in the file and has now; one that
// XNNPACK took whole has one left.
func (d *delegate) steps() (before, after int) { return int(d.c.before), int(d.c.after) }
