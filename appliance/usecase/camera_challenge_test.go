package usecase

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bawab/bawab/appliance"
)

// litCamera shows a face in the light that light says for each frame.
type litCamera struct {
	scriptCamera
	light func(at time.Time) Flash
}

func (c *litCamera) Next(ctx context.Context, after uint64) (*appliance.Frame, error) {
	f, err := c.scriptCamera.Next(ctx, after)
	if err == nil {
		f.JPEG = []byte(fmt.Sprintf("%s %d", c.light(f.Wall), f.Sequence))
	}
	return f, err
}

// litDecoder makes a picture in the light that its bytes name: a twentieth of its colour on a face that is warm already.
type litDecoder struct{}

func (litDecoder) Decode(_ context.Context, image []byte) (*appliance.Picture, error) {
	word, _, _ := bytes.Cut(image, []byte(" "))
	var light chroma
	if len(word) > 0 {
		light = Flash(word).chroma()
	}
	return &appliance.Picture{
		Width: 64, Height: 64, Y: bytes.Repeat([]byte{100}, 64*64), ChromaWidth: 32, ChromaHeight: 32,
		Cb: bytes.Repeat([]byte{byte(118 + light.cb/20)}, 32*32), Cr: bytes.Repeat([]byte{byte(140 + light.cr/20)}, 32*32),
	}, nil
}

// A face that reflects what the screen shows passes; one that does not, or that was recorded in another order, is an attack, and
// the statement names the order either way.
func TestChallenge(t *testing.T) {
	orders := map[string]bool{}
	for _, tt := range []struct {
		name  string
		light func(k *kiosk, at time.Time) Flash
		live  bool
	}{
		{"follows the screen", func(k *kiosk, at time.Time) Flash {
			if ch := k.challenged.Load(); ch != nil {
				return ch.flash(at.Add(-60 * time.Millisecond)) // the way to the screen
			}
			return ""
		}, true},
		{"no reflection", func(*kiosk, time.Time) Flash { return "" }, false},
		{"the opposite", func(k *kiosk, at time.Time) Flash {
			ch := k.challenged.Load()
			if ch == nil {
				return ""
			}
			i := slices.Index(ch.order[:], ch.flash(at))
			return [...]Flash{FlashRed, FlashGreen, FlashBlue}[(slices.Index([]Flash{FlashRed, FlashGreen, FlashBlue}, ch.order[max(0, i)])+1+i)%3]
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := newKiosk(t, nil, nil)
				k.Challenge, k.networks().FaceGuide = true, nil
				k.Appliance.decoder = litDecoder{}
				k.Camera = &litCamera{
					scriptCamera{began: time.Now(), frames: thirty(300, func(int) string { return "" })},
					func(at time.Time) Flash { return tt.light(k, at) },
				}
				leave, err := k.Admit()
				if err != nil {
					t.Fatal(err)
				}
				defer leave()
				out, err := k.Liveness(t.Context(), compared)
				if err != nil {
					t.Fatal(err)
				}
				if out.IsLive != tt.live || !tt.live && !slices.Equal(out.Reasons, []appliance.Reason{appliance.PresentationAttack}) {
					t.Errorf("%+v", out.Liveness)
				}
				if len(out.Cues) != 1 || out.Cues[0].Name != "flash_missing" || out.Cues[0].Raised() == tt.live {
					t.Errorf("%+v", out.Cues)
				}
				s, err := out.Proof.Open(nil)
				if err != nil || s.Challenge == nil || len(strings.Split(*s.Challenge, ",")) != 3 {
					t.Fatalf("%+v, %v", s, err)
				}
				orders[*s.Challenge] = true
				for _, gap := range out.Gaps {
					if gap < k.Rule.Least || gap > k.Rule.Most {
						t.Errorf("gaps %v", out.Gaps)
					}
				}
				if k.Flash() != "" {
					t.Error("the screen goes on flashing")
				}
			})
		})
	}
}

// Without a screen that shows the colours there is no challenge, and nobody is called an attacker for it.
func TestChallengeUnwatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKiosk(t, thirty(60, func(int) string { return "ready" }), nil)
		k.Challenge = true
		if _, err := k.Liveness(t.Context(), compared); appliance.CodeOf(err) != appliance.CodeUnavailable || len(k.taken) != 0 {
			t.Errorf("%v, taken %d", err, len(k.taken))
		}
	})
}

// Where good frames come too rarely for a challenge, each try begins with another order, and the budget ends it.
func TestChallengeMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var frames []scriptFrame
		for at := 0; at < 6000; at += 480 {
			frames = append(frames, scriptFrame{ms: at, show: "ready"})
		}
		k, began := newKiosk(t, frames, nil), time.Now()
		k.Challenge = true
		leave, err := k.Admit()
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		out, err := k.Liveness(t.Context(), compared)
		if err != nil || out.IsLive || len(out.Frames) != 0 || time.Since(began) != k.Budget {
			t.Errorf("%+v, %v after %v", out.Liveness, err, time.Since(began))
		}
	})
}

// An order changes its colour from flash to flash, all orders come up, and each flash has its time.
func TestNewChallenge(t *testing.T) {
	now, orders := time.Unix(1e9, 0), map[string]bool{}
	for range 1000 {
		c := newChallenge(now)
		orders[c.String()] = true
		if c.order[0] == c.order[1] || c.order[1] == c.order[2] {
			t.Fatalf("%s", c)
		}
	}
	if len(orders) != 12 {
		t.Errorf("%d orders", len(orders))
	}
	c, ms := newChallenge(now), func(n int) time.Time { return now.Add(time.Duration(n) * time.Millisecond) }
	for at, want := range map[int]Flash{-1: "", 0: c.order[0], 349: c.order[0], 350: c.order[1], 1049: c.order[2], 1050: ""} {
		if got := c.flash(ms(at)); got != want {
			t.Errorf("at %d ms: %q, want %q", at, got, want)
		}
	}
	for at, want := range map[int][2]bool{349: {false, false}, 499: {false, false}, 500: {true, false}, 699: {true, false}, 700: {false, true}} {
		if fits, over := c.fits(ms(at), 1), c.over(ms(at), 1); fits != want[0] || over != want[1] {
			t.Errorf("the second frame at %d ms: %v %v", at, fits, over)
		}
	}
}

// A reflection counts in the direction in which the colour changed, by its weaker change.
func TestReflection(t *testing.T) {
	order := [3]Flash{FlashRed, FlashBlue, FlashGreen}
	lit := func(strength float64) (seen [3]chroma) {
		for i, f := range order {
			seen[i] = chroma{10 + strength*f.chroma().cb, -5 + strength*f.chroma().cr}
		}
		return seen
	}
	if got := reflection(order, lit(0.02)); got < leastReflection || got > 10 {
		t.Errorf("a fiftieth of the light gives %.1f levels", got)
	}
	if got := reflection(order, lit(-0.05)); got >= 0 {
		t.Errorf("the opposite gives %.1f levels", got)
	}
	half := lit(0.1)
	half[2] = half[1]
	if got := reflection(order, half); got != 0 {
		t.Errorf("one change of two gives %.1f levels", got)
	}
}

// The colour of a face is that of its middle, also where it reaches out of the picture.
func TestMeanChroma(t *testing.T) {
	p := &appliance.Picture{
		Width: 64, Height: 64, ChromaWidth: 32, ChromaHeight: 32, Cb: make([]byte, 1024), Cr: bytes.Repeat([]byte{128}, 1024),
	}
	for y := 10; y < 22; y++ {
		for x := 10; x < 22; x++ {
			p.Cb[y*32+x] = 138
		}
	}
	if got := meanChroma(p, appliance.Quad{{X: 12, Y: 12}, {X: 52, Y: 12}, {X: 52, Y: 52}, {X: 12, Y: 52}}); got != (chroma{10, 0}) {
		t.Errorf("%v", got)
	}
	_ = meanChroma(p, appliance.Quad{{X: -900, Y: -900}, {X: 900, Y: -900}, {X: 900, Y: 900}, {X: -900, Y: 900}})
	if got := meanChroma(&appliance.Picture{Width: 64, Height: 64}, appliance.Quad{}); got != (chroma{}) {
		t.Errorf("a grey picture: %v", got)
	}
}
