package appliance

import "context"

// Caller is who makes a request. The zero Caller is the appliance itself, or somebody who is not told apart.
type Caller struct {
	// Key is the name of the API key.
	Key string
	// Admin says that the key has the scope admin.
	Admin bool
}

// callerKey finds the Caller of a context.
type callerKey struct{}

// WithCaller returns a context under which work is done for a caller. It saves every layer between a request and the queue
// from passing him on.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns whom a context works for.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
