package httpapi

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/gofiber/fiber/v2"
)

const (
	// pairingLife is how long a screen shows one code.
	pairingLife = 10 * time.Minute
	// maxPairings bounds the codes that are valid at once, and pairingsOfAddress those of one address, which then cannot push out what
	// an operator types for another screen; the oldest makes room.
	maxPairings, pairingsOfAddress = 32, 4
	// codeLetters are those that nobody confuses on a screen, and codeLength of them make 40 bits: nobody guesses one in its time.
	codeLetters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	codeLength  = 8
)

// pairing is a kiosk screen that waits to be let in.
type pairing struct {
	code   string
	cookie [sha256.Size]byte
	from   netip.Addr
	ends   time.Time
	taken  bool   // an operator has sent the code
	secret string // of the screen's key, once an operator has let it in
}

// pairings are the screens that wait. They are safe for concurrent use.
type pairings struct {
	mu  sync.Mutex
	all []*pairing // oldest first
}

// ask returns what the screen with this cookie shows, and a new cookie where it has none that counts.
func (p *pairings) ask(cookie string, from netip.Addr, now time.Time) (shown pairing, fresh string) {
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
	w := &pairing{code: newCode(), cookie: sha256.Sum256([]byte(fresh)), from: from, ends: now.Add(pairingLife)}
	if own < pairingsOfAddress {
		oldest = 0
	}
	if own == pairingsOfAddress || len(p.all) == maxPairings {
		p.all = slices.Delete(p.all, oldest, oldest+1)
	}
	p.all = append(p.all, w)
	return *w, fresh
}

// letIn makes a key for the screen that shows a code, with what add makes for its address. Other screens need not wait for add.
func (p *pairings) letIn(code string, now time.Time, add func(from netip.Addr) (secret string, err error)) (netip.Addr, error) {
	w := p.take(strings.NewReplacer("-", "", " ", "").Replace(strings.ToUpper(code)), now)
	if w == nil {
		return netip.Addr{}, appliance.Errorf(appliance.CodeNotFound,
			"no kiosk screen shows this code now: open /kiosk/ on the screen, and send the code that stands there")
	}
	secret, err := add(w.from)
	p.mu.Lock()
	defer p.mu.Unlock()
	w.secret, w.taken = secret, err == nil
	return w.from, err
}

// take returns the screen that shows a code, and lets nobody else have it; nil where there is none.
func (p *pairings) take(code string, now time.Time) *pairing {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(now)
	for _, w := range p.all {
		if w.code == code && !w.taken {
			w.taken = true
			return w
		}
	}
	return nil
}

// done forgets a screen that has its key.
func (p *pairings) done(code string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.all {
		if w.code == code {
			p.all = append(p.all[:i], p.all[i+1:]...)
			return
		}
	}
}

func (p *pairings) drop(now time.Time) {
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

// LetIn makes a key for the kiosk screen that shows a code, and returns its address. The key counts in the cookie of that screen alone.
func (s *Server) LetIn(ctx context.Context, name, code string) (address string, err error) {
	if s.deps.Kiosk == nil {
		return "", NoKiosk()
	}
	from, err := s.pairings.letIn(code, s.deps.Now(), func(from netip.Addr) (string, error) {
		return s.deps.Keys.Add(ctx, appliance.Key{
			Name: name, Screen: from.String(), Scopes: []appliance.Scope{appliance.ScopeOCR, appliance.ScopeFace, appliance.ScopeCamera},
		})
	})
	return from.String(), err
}

// NoKiosk is the error where no kiosk is set up.
func NoKiosk() error {
	return appliance.Errorf(appliance.CodeNotFound, "the kiosk is off: set kiosk.enabled and start the daemon again")
}

// consoleLetIn lets a kiosk screen in, for an operator at the console.
func (s *Server) consoleLetIn(c *fiber.Ctx, x *exchange) error {
	if err := s.admin(c, x); err != nil {
		return err
	}
	var in struct {
		Name string `json:"name"`
		Code string `json:"code"`
	}
	if err := s.acceptConsole(c, x, &in); err != nil {
		return err
	}
	address, err := s.LetIn(appliance.WithCaller(context.WithoutCancel(s.work), x.caller), in.Name, in.Code)
	if err != nil {
		return err
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("name").Text(in.Name)
	w.Name("address").Text(address)
	w.Close()
	return Succeed(c, w.Plain())
}
