package access

import (
	"crypto/rand"
	"crypto/sha256"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

const (
	// PairingLife is how long a screen shows one code.
	PairingLife = 10 * time.Minute
	// maxPairings bounds the codes that are valid at once, and pairingsOfAddress those of one address, which then cannot push out what
	// an operator types for another screen; the oldest makes room.
	maxPairings, pairingsOfAddress = 32, 4
	// codeLetters are those that nobody confuses on a screen, and codeLength of them make 40 bits: nobody guesses one in its time.
	codeLetters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	codeLength  = 8
)

// Pairing is a kiosk screen that waits to be let in.
type Pairing struct {
	// Code is what the screen shows, Secret that of its key, once an operator has let it in.
	Code, Secret string

	cookie [sha256.Size]byte
	from   netip.Addr
	ends   time.Time
	taken  bool // an operator has sent the code
}

// Pairings are the screens that wait. They are safe for concurrent use.
type Pairings struct {
	mu  sync.Mutex
	all []*Pairing // oldest first
}

// Ask returns what the screen with this cookie shows, and a new cookie where it has none that counts.
func (p *Pairings) Ask(cookie string, from netip.Addr, now time.Time) (shown Pairing, fresh string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(now)
	id, oldest, own := sha256.Sum256([]byte(cookie)), 0, 0
	for i, w := range slices.Backward(p.all) {
		switch {
		case w.from != from:
			continue
		case w.cookie == id:
			return *w, ""
		}
		oldest, own = i, own+1
	}
	fresh = appliance.NewSecret()
	w := &Pairing{Code: newCode(), cookie: sha256.Sum256([]byte(fresh)), from: from, ends: now.Add(PairingLife)}
	if own < pairingsOfAddress {
		oldest = 0
	}
	if own == pairingsOfAddress || len(p.all) == maxPairings {
		p.all = slices.Delete(p.all, oldest, oldest+1)
	}
	p.all = append(p.all, w)
	return *w, fresh
}

// LetIn makes a key for the screen that shows a code, with what add makes for its address. Other screens need not wait for add.
func (p *Pairings) LetIn(code string, now time.Time, add func(from netip.Addr) (secret string, err error)) (netip.Addr, error) {
	w := p.take(strings.NewReplacer("-", "", " ", "").Replace(strings.ToUpper(code)), now)
	if w == nil {
		return netip.Addr{}, appliance.Errorf(appliance.CodeNotFound,
			"no kiosk screen shows this code now: open /kiosk/ on the screen, and send the code that stands there")
	}
	secret, err := add(w.from)
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Secret, w.taken = secret, err == nil
	return w.from, err
}

// take returns the screen that shows a code, and lets nobody else have it; nil where there is none.
func (p *Pairings) take(code string, now time.Time) *Pairing {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(now)
	for _, w := range p.all {
		if w.Code == code && !w.taken {
			w.taken = true
			return w
		}
	}
	return nil
}

// Done forgets a screen that has its key.
func (p *Pairings) Done(code string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.all {
		if w.Code == code {
			p.all = append(p.all[:i], p.all[i+1:]...)
			return
		}
	}
}

func (p *Pairings) drop(now time.Time) {
	for len(p.all) > 0 && !now.Before(p.all[0].ends) {
		p.all = p.all[1:]
	}
}

// newCode draws what a screen shows.
func newCode() string {
	var b [codeLength]byte
	rand.Read(b[:])
	for i := range b {
		b[i] = codeLetters[int(b[i])%len(codeLetters)]
	}
	return string(b[:])
}
