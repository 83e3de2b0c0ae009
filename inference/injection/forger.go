package injection

import (
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"

	"github.com/bawab/bawab/appliance"
)

// Still is a picture of a person, with the place of the face in its pixels.
type Still struct {
	Image     image.Image
	Landmarks [5]appliance.Point // as of appliance.Face
}

// Source is what a forger has of a person.
type Source struct {
	// Still is what the frames are made from.
	Still Still
	// Other is the same person at another moment. Families that need one are made from Still alone where it is nil.
	Other *Still
	// Scene is laid behind heads that are cut out; nil draws one.
	Scene image.Image
}

// Frames is how many frames a triple has.
const Frames = appliance.BurstFrames

// The size of frames, that of a common webcam, and the least share of their width that lies between the eyes: smaller faces, such as
// those of cards, are cut out and enlarged.
const (
	frameWidth, frameHeight = 640, 480
	leastEyeShare           = 0.09
)

// forger is what the families share: a still in the size of a frame, and chance.
type forger struct {
	*rand.Rand
	base  *canvas
	marks [5]appliance.Point
	other *canvas // the other still, laid so that its eyes are where those of base are; nil without one
	scene *canvas
	kernel
	// step is the time from frame to frame by which motion goes on.
	step float64
}

// newForger prepares the stills.
func newForger(r *rand.Rand, s Source) (*forger, error) {
	f := &forger{Rand: r, kernel: bicubic, step: 0.5 + r.Float64()}
	if r.IntN(3) == 0 {
		f.kernel = bilinear
	}
	var err error
	if f.base, f.marks, err = f.prepared(s.Still); err != nil {
		return nil, err
	}
	if s.Other != nil {
		other, marks, err := f.prepared(*s.Other)
		if err != nil {
			return nil, err
		}
		f.other = other.warped(similarity(f.marks, marks), bicubic)
	}
	f.scene = f.drawnScene()
	if s.Scene != nil {
		c := canvasOf(s.Scene)
		f.scene = c.fitted(0, 0, float64(c.w), float64(c.h), frameWidth, frameHeight, bilinear)
	}
	return f, nil
}

// prepared scales a still to a frame, and cuts around a small face.
func (f *forger) prepared(s Still) (*canvas, [5]appliance.Point, error) {
	c, marks := canvasOf(s.Image), s.Landmarks
	eyes := distance(marks[0], marks[1])
	if !(eyes > 1) || c.w < 16 || c.h < 16 {
		return nil, marks, errors.New("forge frames: the still shows no face")
	}
	width := min(float64(c.w), float64(c.h)*frameWidth/frameHeight)
	if eyes < leastEyeShare*float64(c.w) {
		width = min(width, eyes/(0.13+0.05*f.Float64()))
	}
	height := width * frameHeight / frameWidth
	middle := appliance.Point{X: (marks[0].X + marks[1].X) / 2, Y: (marks[0].Y+marks[1].Y)/2 + 0.4*eyes}
	left := min(max(middle.X-width/2, 0), max(float64(c.w)-width, 0))
	top := min(max(middle.Y-height/2, 0), max(float64(c.h)-height, 0))
	k := width / frameWidth
	for i, m := range marks {
		marks[i] = appliance.Point{X: (m.X - left) / k, Y: (m.Y - top) / k}
	}
	if width == frameWidth && c.w == frameWidth && c.h == frameHeight {
		return c, marks, nil
	}
	return c.fitted(left, top, left+width, top+height, frameWidth, frameHeight, bicubic), marks, nil
}

// similarity maps places beside the marks to to those beside the marks from, by eyes and mouth.
func similarity(to, from [5]appliance.Point) warp {
	middle := func(m [5]appliance.Point) (eyes, mouth appliance.Point) {
		return mean(m[0], m[1]), mean(m[3], m[4])
	}
	e0, m0 := middle(to)
	e1, m1 := middle(from)
	dx0, dy0, dx1, dy1 := m0.X-e0.X, m0.Y-e0.Y, m1.X-e1.X, m1.Y-e1.Y
	n := square(dx0) + square(dy0)
	a, b := (dx1*dx0+dy1*dy0)/n, (dy1*dx0-dx1*dy0)/n
	return func(x, y float64) (float64, float64) {
		x, y = x-e0.X, y-e0.Y
		return e1.X + a*x - b*y, e1.Y + b*x + a*y
	}
}

func mean(a, b appliance.Point) appliance.Point {
	return appliance.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
}

// eyes is the distance between the eyes.
func (f *forger) eyes() float64 { return distance(f.marks[0], f.marks[1]) }

// middle is the middle of the face.
func (f *forger) middle() appliance.Point {
	return mean(mean(f.marks[0], f.marks[1]), mean(f.marks[3], f.marks[4]))
}

// uniform is a number between two.
func (f *forger) uniform(from, to float64) float64 { return from + (to-from)*f.Float64() }

// either is one of two signs.
func (f *forger) either() float64 { return float64(2*f.IntN(2) - 1) }

// each makes the three frames by their number.
func (f *forger) each(frame func(i int) *canvas) (out [Frames]*canvas) {
	for i := range out {
		out[i] = frame(i)
	}
	return out
}

// motion is a smooth course of one quantity: its values at the three frames, up to most in size.
func (f *forger) motion(most float64) (at [Frames]float64) {
	from, speed, bend := f.uniform(-0.3, 0.3)*most, f.either()*f.uniform(0.3, 1)*most/2, f.uniform(-0.15, 0.15)*most
	for i := range at {
		t := float64(i) * f.step
		at[i] = min(max(from+speed*t+bend*t*t, -most), most)
	}
	return at
}

// drift is a small motion of the whole picture as one plane: shift in pixels, turn, scale and perspective.
func (f *forger) drift(pixels float64) [Frames]warp {
	dx, dy := f.motion(pixels), f.motion(pixels)
	turn, scale := f.motion(pixels/250), f.motion(pixels/300)
	px, py := f.motion(pixels/2e5), f.motion(pixels/2e5)
	var out [Frames]warp
	for i := range out {
		sin, cos := math.Sincos(turn[i])
		k := 1 + scale[i]
		out[i] = func(x, y float64) (float64, float64) {
			x, y = x-frameWidth/2, y-frameHeight/2
			w := 1 + px[i]*x + py[i]*y
			return frameWidth/2 + (k*(cos*x-sin*y)+dx[i])/w, frameHeight/2 + (k*(sin*x+cos*y)+dy[i])/w
		}
	}
	return out
}

// bump is a displacement that fades out from a place.
type bump struct{ x, y, rx, ry, dx, dy float64 }

// bumps displaces by the sum of bumps.
func bumps(all []bump) warp {
	return func(x, y float64) (float64, float64) {
		sx, sy := x, y
		for _, b := range all {
			w := math.Exp(-square((x-b.x)/b.rx) - square((y-b.y)/b.ry))
			sx, sy = sx+w*b.dx, sy+w*b.dy
		}
		return sx, sy
	}
}

// head is a matte of head and shoulders, soft over the given share of the distance of the eyes.
func (f *forger) head(soft float64) func(x, y float64) float64 {
	e, m := f.eyes(), f.middle()
	return func(x, y float64) float64 {
		u, v := (x-m.X)/e, (y-m.Y)/e
		d := 1 - math.Hypot(u/1.25, (v+0.1)/1.75) // the head
		if v > 0.9 {                              // neck and shoulders
			d = max(d, min(1, (0.55+1.6*(v-0.9)-math.Abs(u))/1.5))
		}
		return min(max(d/soft+0.5, 0), 1)
	}
}

// drawnScene is a room out of a few planes and things.
func (f *forger) drawnScene() *canvas {
	c := newCanvas(frameWidth, frameHeight)
	tone := func() (t [3]float64) {
		level := f.uniform(50, 220)
		for n := range t {
			t[n] = level + f.uniform(-20, 20)
		}
		return t
	}
	fill := func(left, top, right, bottom float64, t [3]float64) {
		for y := max(int(top), 0); y < min(int(bottom), c.h); y++ {
			for x := max(int(left), 0); x < min(int(right), c.w); x++ {
				for n, p := 0, c.at(x, y); n < 3; n++ {
					p[n] = float32(t[n] * (1 - 0.15*float64(y)/frameHeight))
				}
			}
		}
	}
	fill(0, 0, frameWidth, frameHeight, tone())
	for range 12 {
		x, y := f.uniform(-50, frameWidth), f.uniform(-50, frameHeight)
		fill(x, y, x+f.uniform(10, 220), y+f.uniform(10, 180), tone())
	}
	return c.blurred(f.uniform(0.6, 2))
}

// Make forges a triple of JPEG files. The same chance makes the same triple.
func (f Family) Make(r *rand.Rand, s Source) (files [Frames][]byte, err error) {
	forger, err := newForger(r, s)
	if err != nil {
		return files, err
	}
	for i, c := range f.forge(forger) {
		quality := forger.IntN(30) + 65
		if files[i], err = c.jpeg(quality); err != nil {
			return files, fmt.Errorf("forge %s: %w", f.Name, err)
		}
	}
	return files, nil
}
