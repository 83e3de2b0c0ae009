package usecase

import (
	"sync"

	"github.com/bawab/bawab/appliance"
)

// Networks are the parts of an appliance that rest on its networks. They are exchanged together, so that no request sees some of
// the old ones and some of the new.
type Networks struct {
	Readers map[appliance.Endpoint]appliance.Reader
	// Kinds are those that the model set brings beside the contract's, by their names.
	Kinds []appliance.KindModel
	Faces Faces
	// FaceGuide and DocumentGuide look at frames of the appliance's own camera; nil leaves the look out.
	FaceGuide, DocumentGuide appliance.FrameJudge
	// Models (SHA-256 by name) and Thresholds are stated with every liveness check by camera.
	Models     map[string]string
	Thresholds map[string]float64
	// Free is called once, when they are exchanged and the last request that uses them has ended; it may be nil.
	Free func()
}

// exchange holds the networks in use, and counts who uses them.
type exchange struct {
	mu  sync.Mutex
	now *inUse
}

// inUse is one set of networks.
type inUse struct {
	networks Networks
	users    int
	old      bool
}

// Exchange lets every request that begins from now on use other networks. Those under way keep theirs to the end. A nil part
// is one that this appliance does not have.
func (a *Appliance) Exchange(n Networks) {
	e := a.exchange
	e.mu.Lock()
	before := e.now
	before.old, e.now = true, &inUse{networks: n}
	idle := before.users == 0
	e.mu.Unlock()
	if idle {
		before.free()
	}
}

func (u *inUse) free() {
	if u.networks.Free != nil {
		u.networks.Free()
	}
}

// begin counts one more user of the networks in use.
func (e *exchange) begin() *inUse {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now.users++
	return e.now
}

// end counts a user less, and frees what nobody will use any more.
func (e *exchange) end(u *inUse) {
	e.mu.Lock()
	u.users--
	last := u.old && u.users == 0
	e.mu.Unlock()
	if last {
		u.free()
	}
}

// hold returns the appliance as one request sees it: an Exchange does not touch it until leave is called. What is held already
// stays as it is.
func (a *Appliance) hold() (held *Appliance, leave func()) {
	if a.held != nil {
		return a, func() {}
	}
	u := a.exchange.begin()
	one := *a
	one.held = u
	one.readers, one.kinds, one.faces = u.networks.Readers, u.networks.Kinds, u.networks.Faces
	return &one, func() { a.exchange.end(u) }
}

// hold is Appliance.hold for a capture.
func (c *Capturer) hold() (held *Capturer, leave func()) {
	a, leave := c.Appliance.hold()
	one := *c
	one.Appliance = a
	n := &a.held.networks
	one.faces, one.documents, one.models, one.thresholds = n.FaceGuide, n.DocumentGuide, n.Models, n.Thresholds
	return &one, leave
}
