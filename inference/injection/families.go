package injection

import (
	"fmt"
	"math"
	"strings"

	"github.com/bawab/bawab/appliance"
)

// Family is one way to make frames.
type Family struct {
	Name string
	// Does says in a sentence what a forger of the family does.
	Does string
	// Developed is true for the families that the cues were developed on; figures come from the others.
	Developed bool
	// Apart is true for the family that films a still again: it is a presentation before a camera that does not exist, at the limit of
	// what three passive frames can show, and counted apart.
	Apart bool
	forge func(*forger) [Frames]*canvas
}

// Described lists all families, one a line, with what each does.
func Described() string {
	var lines []string
	for _, f := range Families() {
		lines = append(lines, fmt.Sprintf("  %-20s %s", f.Name, f.Does))
	}
	return strings.Join(lines, "\n")
}

// Families lists all families in the order in which reports name them.
func Families() []Family {
	return []Family{
		{Name: "noise", Does: "adds noise to one still", Developed: true, forge: (*forger).noise},
		{Name: "plane", Does: "moves one still as a plane before the camera", Developed: true, forge: (*forger).plane},
		{Name: "closed_eyes", Does: "closes the eyes by a warp", Developed: true, forge: (*forger).closedEyes},
		{Name: "moved_background", Does: "moves the head before its own background", Developed: true, forge: (*forger).movedBackground},
		{Name: "morph", Does: "blends two stills of the person", Developed: true, forge: (*forger).morph},
		{Name: "regrain", Does: "takes the grain off and adds that of a simulated sensor", Developed: true, forge: (*forger).regrain},
		{Name: "rounds", Does: "codes one still again and again, at other sizes and qualities", forge: (*forger).rounds},
		{Name: "flicker", Does: "changes the light of one still", forge: (*forger).flicker},
		{Name: "local_warp", Does: "bends parts of the face", forge: (*forger).localWarp},
		{Name: "head_turn", Does: "turns the head by a map of its depth", forge: (*forger).headTurn},
		{Name: "mouth", Does: "moves mouth and chin by a warp", forge: (*forger).mouth},
		{Name: "pasted_eyes", Does: "pastes eyes of another moment", forge: (*forger).pastedEyes},
		{Name: "replaced_background", Does: "lays the head before another scene", forge: (*forger).replacedBackground},
		{Name: "bent_cutout", Does: "moves a bent cut-out of the head over a scene", forge: (*forger).bentCutout},
		{Name: "refilmed", Does: "films one still again with a simulated camera", Apart: true, forge: (*forger).refilmed},
	}
}

func (f *forger) noise() [Frames]*canvas {
	return f.noisy(f.each(func(int) *canvas { return f.base.clone() }), 0.7, 6)
}

func (f *forger) plane() [Frames]*canvas {
	drift := f.drift(f.uniform(0.5, 9))
	return f.noisy(f.each(func(i int) *canvas { return f.base.warped(drift[i], f.kernel) }), 0, 3)
}

func (f *forger) rounds() [Frames]*canvas {
	return f.each(func(int) *canvas {
		c := f.base
		for range 1 + f.IntN(3) {
			w, h := int(f.uniform(0.8, 1.25)*frameWidth), int(f.uniform(0.8, 1.25)*frameHeight)
			c = c.fitted(0, 0, float64(c.w), float64(c.h), w, h, f.kernel).recoded(60 + f.IntN(36))
		}
		return c.fitted(0, 0, float64(c.w), float64(c.h), frameWidth, frameHeight, f.kernel)
	})
}

func (f *forger) flicker() [Frames]*canvas {
	drift := f.drift(f.uniform(0, 2))
	frames := f.each(func(i int) *canvas {
		c := f.base.warped(drift[i], f.kernel)
		gain, gamma, offset := f.uniform(0.88, 1.12), f.uniform(0.9, 1.1), f.uniform(-8, 8)
		c.toned(func(v float64) float64 { return 255*gain*math.Pow(min(max(v, 0), 255)/255, gamma) + offset })
		return c
	})
	return f.noisy(frames, 0, 3)
}

// closedEyes draws the skin above each eye down over it, further from frame to frame or back.
func (f *forger) closedEyes() [Frames]*canvas {
	e, drift := f.eyes(), f.drift(f.uniform(0, 2.5))
	most, peak := f.uniform(0.15, 0.34)*e, f.IntN(Frames)
	frames := f.each(func(i int) *canvas {
		down := most * max(0, 1-0.5*math.Abs(float64(i-peak))*f.uniform(0.8, 1.6))
		var all []bump
		for _, eye := range f.marks[:2] {
			all = append(all, bump{eye.X, eye.Y, 0.3 * e, 0.16 * e, 0, -down})
		}
		return f.base.warped(bumps(all).then(drift[i]), f.kernel)
	})
	return f.noisy(frames, 0, 3)
}

func (f *forger) movedBackground() [Frames]*canvas {
	dx, dy := f.motion(f.uniform(1.5, 8)), f.motion(f.uniform(0.5, 4))
	drift, matte, back := f.drift(f.uniform(0, 2)), f.head(0.25), f.base.blurred(f.uniform(0, 1))
	if f.IntN(2) == 0 {
		back = f.base
	}
	frames := f.each(func(i int) *canvas {
		c := back.warped(func(x, y float64) (float64, float64) { return x + dx[i], y + dy[i] }, f.kernel)
		moved := f.base.warped(drift[i], f.kernel)
		c.over(moved, func(x, y float64) float64 { return matte(drift[i](x, y)) })
		return c
	})
	return f.noisy(frames, 0, 3)
}

// morph goes from one still to the other; without another one, to the same bent a little.
func (f *forger) morph() [Frames]*canvas {
	to := f.other
	if to == nil {
		to = f.base.warped(f.bending(2), f.kernel)
	}
	drift, from := f.drift(f.uniform(0, 2)), f.uniform(0, 0.3)
	frames := f.each(func(i int) *canvas {
		t := float32(from + (1-2*from)*float64(i)/(Frames-1))
		c := f.base.clone()
		for k, v := range c.pix {
			c.pix[k] = v + t*(to.pix[k]-v)
		}
		return c.warped(drift[i], f.kernel)
	})
	return f.noisy(frames, 0, 3)
}

func (f *forger) regrain() [Frames]*canvas {
	clean, drift := f.base.cleaned(f.uniform(0.8, 1.6)), f.drift(f.uniform(0.3, 4))
	sigma := f.uniform(1.5, 6)
	return f.each(func(i int) *canvas {
		c := clean.warped(f.bending(0.6).then(drift[i]), f.kernel)
		f.expose(c, sigma)
		return c
	})
}

// bending is a smooth field of displacements over the face, up to most pixels.
func (f *forger) bending(most float64) warp {
	e, m := f.eyes(), f.middle()
	var all []bump
	for range 7 {
		all = append(all, bump{
			m.X + f.uniform(-1, 1)*e, m.Y + f.uniform(-1.3, 1.3)*e, f.uniform(0.3, 0.9) * e, f.uniform(0.3, 0.9) * e,
			f.uniform(-1, 1) * most, f.uniform(-1, 1) * most,
		})
	}
	return bumps(all)
}

func (f *forger) localWarp() [Frames]*canvas {
	drift, most := f.drift(f.uniform(0, 3)), f.uniform(0.8, 4)
	return f.noisy(f.each(func(i int) *canvas { return f.base.warped(f.bending(most).then(drift[i]), f.kernel) }), 0, 3)
}

// headTurn moves each place of the head by its depth, that of an ellipsoid with a nose; the background stays.
func (f *forger) headTurn() [Frames]*canvas {
	e, m := f.eyes(), f.middle()
	yaw, pitch := f.motion(f.uniform(0.04, 0.18)), f.motion(f.uniform(0.02, 0.1))
	drift := f.drift(f.uniform(0, 1.5))
	frames := f.each(func(i int) *canvas {
		turn := func(x, y float64) (float64, float64) {
			u, v := (x-m.X)/(1.3*e), (y-m.Y)/(1.8*e)
			depth := math.Sqrt(max(0, 1-u*u-v*v)) + 0.25*math.Exp(-square((x-f.marks[2].X)/(0.3*e))-square((y-f.marks[2].Y)/(0.35*e)))
			return x + yaw[i]*depth*e, y + pitch[i]*depth*e
		}
		return f.base.warped(warp(turn).then(drift[i]), f.kernel)
	})
	return f.noisy(frames, 0, 3)
}

func (f *forger) mouth() [Frames]*canvas {
	e, drift := f.eyes(), f.drift(f.uniform(0, 2.5))
	lips := mean(f.marks[3], f.marks[4])
	open, wide := f.motion(f.uniform(0.05, 0.16)*e), f.motion(f.uniform(0.02, 0.1)*e)
	frames := f.each(func(i int) *canvas {
		all := []bump{
			{lips.X, lips.Y + 0.35*e, 0.7 * e, 0.4 * e, 0, -open[i]},
			{f.marks[3].X, f.marks[3].Y, 0.25 * e, 0.2 * e, wide[i], 0},
			{f.marks[4].X, f.marks[4].Y, 0.25 * e, 0.2 * e, -wide[i], 0},
		}
		return f.base.warped(bumps(all).then(drift[i]), f.kernel)
	})
	return f.noisy(frames, 0, 3)
}

// pastedEyes lays the eyes of the other still over one or two frames; without another still, its own eyes mirrored.
func (f *forger) pastedEyes() [Frames]*canvas {
	e, drift := f.eyes(), f.drift(f.uniform(0, 2.5))
	eyes := f.other
	if eyes == nil {
		middle := mean(f.marks[0], f.marks[1])
		eyes = f.base.warped(func(x, y float64) (float64, float64) { return 2*middle.X - x, y }, bicubic)
	}
	pasted := f.base.clone()
	pasted.over(eyes, func(x, y float64) float64 {
		a := 0.0
		for _, m := range f.marks[:2] {
			a = max(a, min(max(2-2*math.Hypot((x-m.X)/(0.36*e), (y-m.Y)/(0.22*e)), 0), 1))
		}
		return a
	})
	first := f.IntN(Frames)
	frames := f.each(func(i int) *canvas {
		c := f.base
		if i == first {
			c = pasted
		}
		return c.warped(drift[i], f.kernel)
	})
	return f.noisy(frames, 0, 3)
}

func (f *forger) replacedBackground() [Frames]*canvas {
	drift, matte := f.drift(f.uniform(0.5, 6)), f.head(f.uniform(0.08, 0.3))
	grain := f.uniform(0, 2.5)
	frames := f.each(func(i int) *canvas {
		c := f.scene.clone()
		f.grain(c, 2, grain)
		c.over(f.base.warped(drift[i], f.kernel), func(x, y float64) float64 { return matte(drift[i](x, y)) })
		return c
	})
	return f.noisy(frames, 0, 2.5)
}

// bentCutout bends the cut-out around an upright axis that turns from frame to frame.
func (f *forger) bentCutout() [Frames]*canvas {
	drift, matte, m := f.drift(f.uniform(1, 8)), f.head(0.05), f.middle()
	radius, turn := f.uniform(2.2, 5)*f.eyes(), f.motion(f.uniform(0.05, 0.25))
	frames := f.each(func(i int) *canvas {
		bend := func(x, y float64) (float64, float64) {
			u := min(max((x-m.X)/radius, -0.99), 0.99)
			return m.X + radius*(math.Asin(u)-turn[i]*math.Sqrt(1-u*u)), y
		}
		all := warp(bend).then(drift[i])
		c := f.scene.clone()
		f.grain(c, 2, 1.5)
		c.over(f.base.warped(all, f.kernel), func(x, y float64) float64 { return matte(all(x, y)) })
		return c
	})
	return f.noisy(frames, 0, 2.5)
}

// refilmed shows the still on a surface before a camera with a lens, a shutter, a mosaic, noise and a tone curve of its own.
func (f *forger) refilmed() [Frames]*canvas {
	drift, blur, sigma := f.drift(f.uniform(1, 8)), f.uniform(0.5, 1.2), f.uniform(1, 5)
	curve, centre := f.uniform(0.85, 1.2), appliance.Point{X: frameWidth / 2, Y: frameHeight / 2}
	barrel := f.uniform(-0.04, 0.04)
	return f.each(func(i int) *canvas {
		lens := func(x, y float64) (float64, float64) {
			u, v := x-centre.X, y-centre.Y
			k := 1 + barrel*(u*u+v*v)/square(frameWidth/2)
			return centre.X + k*u, centre.Y + k*v
		}
		c := f.base.warped(drift[i].then(lens), bicubic).blurred(blur)
		f.expose(c, sigma)
		c.toned(func(v float64) float64 { return 255 * math.Pow(min(max(v, 0), 255)/255, curve) })
		sharp := c.blurred(1)
		for k, v := range c.pix {
			c.pix[k] = v + 0.6*(v-sharp.pix[k])
		}
		return c
	})
}
