package access

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
)

// TicketLife is how long a ticket admits a viewer; a preview that has begun goes on.
const TicketLife = time.Minute

// maxTickets bounds the tickets that are valid at once; the oldest makes room.
const maxTickets = 256

// ticket stands for a key in the address of a preview: an <img> sends no header, and a key in an address would lie in histories and logs.
type ticket struct {
	secret [sha256.Size]byte // its hash; the secret itself is with whoever asked
	key    string            // the name of the key that asked for it
	ends   time.Time
	shared bool // the page that asked is of a listed origin, and its browser may show the preview there
}

// tickets are the tickets for previews that are valid. They are safe for concurrent use.
type tickets struct {
	mu  sync.Mutex
	all []ticket // oldest first
}

// issue makes a ticket and returns its secret.
func (t *tickets) issue(key string, shared bool, now time.Time) (secret string) {
	secret = appliance.NewSecret()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(now)
	if len(t.all) == maxTickets {
		t.all = t.all[1:]
	}
	t.all = append(t.all, ticket{secret: sha256.Sum256([]byte(secret)), key: key, ends: now.Add(TicketLife), shared: shared})
	return secret
}

// find returns the valid ticket of a secret.
func (t *tickets) find(secret string, now time.Time) (ticket, bool) {
	hash := sha256.Sum256([]byte(secret))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(now)
	for _, k := range t.all {
		if k.secret == hash {
			return k, true
		}
	}
	return ticket{}, false
}

// drop forgets the tickets that have ended.
func (t *tickets) drop(now time.Time) {
	for len(t.all) > 0 && !now.Before(t.all[0].ends) {
		t.all = t.all[1:]
	}
}

// Ticket issues a ticket to a visitor, which stands for its key in the address of a preview.
func (g *Gate) Ticket(c *fiber.Ctx, v *Visitor) (secret string) {
	return g.tickets.issue(v.Key, g.listedOrigin(c) != "", g.now())
}

// View lets a viewer of the preview in, by a ticket in its address or by its key. A ticket ends with the key that it stands for.
// Shared says that the page which asked for the ticket is of a listed origin.
func (g *Gate) View(c *fiber.Ctx, v *Visitor) (shared bool, err error) {
	secret := c.Query("token")
	if secret == "" {
		return false, g.Authorize(c, v, appliance.ScopeCamera)
	}
	t, ok := g.tickets.find(secret, g.now())
	if !ok || !g.keys.Valid(t.key) {
		return false, appliance.Errorf(
			appliance.CodeUnauthorized,
			"the token is not valid any more: ask for a new one at /v1/camera/preview/token",
		)
	}
	v.Key = t.key
	return t.shared, nil
}
