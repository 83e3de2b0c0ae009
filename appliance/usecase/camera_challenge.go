package usecase

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Flash is a colour that the kiosk's screen shows during a challenge; "" is none.
type Flash string

// The colours of a challenge.
const (
	FlashRed   Flash = "red"
	FlashGreen Flash = "green"
	FlashBlue  Flash = "blue"
)

// chroma is the colour of a light, or the mean one of a part of a picture, as Cb and Cr around 0.
type chroma struct{ cb, cr float64 }

// chroma is that of the colour at full strength by JFIF.
func (f Flash) chroma() chroma {
	switch f {
	case FlashRed:
		return chroma{-43, 127}
	case FlashGreen:
		return chroma{-84, -107}
	}
	return chroma{127, -21}
}

// The pace of a challenge. The third frame comes well within two MaxGap of the first.
const (
	flashEvery = 350 * time.Millisecond
	// flashSettle is what the way from here to the screen and the camera's own exposure may take.
	flashSettle = 150 * time.Millisecond
)

// leastReflection is the change of the face's mean chroma, in levels, that a change of the screen's colour must bring at least. It
// is a guess from the optics (a screen that lights a face at arm's length with a twentieth of the room's light gives 3 to 6),
// not calibrated on recordings: the challenge is off by default.
const leastReflection = 2.0

// challenge is a random order of flashes over one burst; each frame belongs to one flash.
type challenge struct {
	order [appliance.BurstFrames]Flash
	began time.Time
}

// newChallenge draws an order in which the colour changes from flash to flash; twelve are possible. It begins now.
func newChallenge(now time.Time) *challenge {
	c := &challenge{began: now}
	for i := range c.order {
		for {
			c.order[i] = [...]Flash{FlashRed, FlashGreen, FlashBlue}[rand.IntN(3)]
			if i == 0 || c.order[i] != c.order[i-1] {
				break
			}
		}
	}
	return c
}

// flash is the colour that the screen should show at a time, "" before and after the challenge.
func (c *challenge) flash(at time.Time) Flash {
	i := int(math.Floor(float64(at.Sub(c.began)) / float64(flashEvery)))
	if i < 0 || i >= len(c.order) {
		return ""
	}
	return c.order[i]
}

// fits reports whether a frame that was taken at a time can show the n-th flash.
func (c *challenge) fits(at time.Time, n int) bool {
	since := at.Sub(c.began) - time.Duration(n)*flashEvery
	return since >= flashSettle && since < flashEvery
}

// over reports whether a frame of a time comes too late for the n-th flash.
func (c *challenge) over(at time.Time, n int) bool {
	return at.Sub(c.began) >= time.Duration(n+1)*flashEvery
}

// String names the colours in their order.
func (c *challenge) String() string {
	names := make([]string, len(c.order))
	for i, f := range c.order {
		names[i] = string(f)
	}
	return strings.Join(names, ",")
}

// Flash returns the colour that the kiosk's screen should show now, "" for none.
func (c *Capturer) Flash() Flash {
	if ch := c.challenged.Load(); ch != nil {
		return ch.flash(c.Now())
	}
	return ""
}

// answered looks in the frames of a burst for the reflection of the flashes on the face.
func (c *Capturer) answered(ch *challenge) func(context.Context, []*appliance.Picture) (appliance.BurstFindings, error) {
	if ch == nil {
		return nil
	}
	return func(ctx context.Context, pictures []*appliance.Picture) (appliance.BurstFindings, error) {
		var seen [appliance.BurstFrames]chroma
		for i, p := range pictures {
			width, height := float64(p.Width), float64(p.Height)
			region := appliance.Quad{{}, {X: width}, {X: width, Y: height}, {Y: height}}
			if finder := c.Appliance.faces.Finder; finder != nil {
				found, err := finder.FindFaces(ctx, p)
				if err != nil {
					return appliance.BurstFindings{}, fmt.Errorf("check challenge: %w", err)
				}
				if len(found) > 0 {
					region = found[0].Quad
				}
			}
			seen[i] = meanChroma(p, region)
		}
		missing := 1 - max(0, min(1, reflection(ch.order, seen)/(2*leastReflection)))
		cue := appliance.Cue{Name: "flash_missing", Score: missing, Threshold: 0.5}
		f := appliance.BurstFindings{Score: 1 - missing, Cues: []appliance.Cue{cue}}
		if cue.Raised() {
			f.Reasons = []appliance.Reason{appliance.PresentationAttack}
		}
		return f, nil
	}
}

// reflection is by how many levels the colour of the face followed that of the screen: the least of its changes, each measured
// in the direction in which the screen's colour changed.
func reflection(order [appliance.BurstFrames]Flash, seen [appliance.BurstFrames]chroma) float64 {
	least := math.Inf(1)
	for i := 1; i < appliance.BurstFrames; i++ {
		from, to := order[i-1].chroma(), order[i].chroma()
		x, y := to.cb-from.cb, to.cr-from.cr
		along := ((seen[i].cb-seen[i-1].cb)*x + (seen[i].cr-seen[i-1].cr)*y) / math.Hypot(x, y)
		least = min(least, along)
	}
	return least
}

// meanChroma is the mean colour of the middle of a region: its inner half, so that neither hair nor background counts. It is 0
// for a grey picture.
func meanChroma(p *appliance.Picture, region appliance.Quad) chroma {
	if p.ChromaWidth == 0 || p.ChromaHeight == 0 {
		return chroma{}
	}
	var middle, reach appliance.Point
	for _, corner := range region {
		middle.X, middle.Y = middle.X+corner.X/4, middle.Y+corner.Y/4
	}
	for _, corner := range region {
		reach.X, reach.Y = max(reach.X, math.Abs(corner.X-middle.X)/2), max(reach.Y, math.Abs(corner.Y-middle.Y)/2)
	}
	sx, sy := float64(p.ChromaWidth)/float64(p.Width), float64(p.ChromaHeight)/float64(p.Height)
	within := func(v, most float64) int { return int(max(0, min(most, v))) }
	x0, x1 := within((middle.X-reach.X)*sx, float64(p.ChromaWidth)), within((middle.X+reach.X)*sx, float64(p.ChromaWidth))
	y0, y1 := within((middle.Y-reach.Y)*sy, float64(p.ChromaHeight)), within((middle.Y+reach.Y)*sy, float64(p.ChromaHeight))
	var cb, cr, n int
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			cb, cr, n = cb+int(p.Cb[y*p.ChromaWidth+x]), cr+int(p.Cr[y*p.ChromaWidth+x]), n+1
		}
	}
	if n == 0 {
		return chroma{}
	}
	return chroma{float64(cb)/float64(n) - 128, float64(cr)/float64(n) - 128}
}
