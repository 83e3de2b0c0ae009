package browser

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/kiosk"
	"github.com/gofiber/fiber/v2"
)

func (p *Routes) kioskBegin(c *fiber.Ctx, x *route.Exchange) error {
	r, err := p.receiveKiosk(c, x, consoleBytes)
	if err != nil {
		return err
	}
	v, err := p.deps.Kiosk.Desk.Begin(x.Key, r.kind)
	return viewed(c, v, err)
}

func (p *Routes) kioskStay(c *fiber.Ctx, x *route.Exchange) error {
	r, err := p.receiveKiosk(c, x, consoleBytes)
	if err != nil {
		return err
	}
	v, err := p.deps.Kiosk.Desk.Stay(x.Key, r.run)
	return viewed(c, v, err)
}

func (p *Routes) kioskStop(c *fiber.Ctx, x *route.Exchange) error {
	r, err := p.receiveKiosk(c, x, consoleBytes)
	if err != nil {
		return err
	}
	return viewed(c, kiosk.View{Step: kiosk.Welcome}, p.deps.Kiosk.Desk.Stop(x.Key, r.run, kiosk.Outcome(r.why)))
}

func (p *Routes) kioskConfirm(c *fiber.Ctx, x *route.Exchange) error {
	r, err := p.receiveKiosk(c, x, consoleBytes)
	if err != nil {
		return err
	}
	v, err := p.deps.Kiosk.Desk.Confirm(x.Key, r.run, r.right)
	return viewed(c, v, err)
}

// kioskImages names the pictures of a request: none where the appliance's own camera takes them.
func (p *Routes) kioskImages(names ...string) []string {
	if p.deps.Kiosk.Desk.OwnCamera() {
		return nil
	}
	return names
}

func (p *Routes) kioskDocument(c *fiber.Ctx, x *route.Exchange) error {
	r, err := p.receiveKiosk(c, x, p.deps.BodyBytes, p.kioskImages("image")...)
	if err != nil {
		return err
	}
	var image []byte
	if len(r.images) > 0 {
		image = r.images[0]
	}
	ctx, stop := p.frame.Watch(c, x)
	defer stop()
	v, d, err := p.deps.Kiosk.Desk.Document(ctx, x.Key, r.run, x.ID, image)
	decides(x, d)
	return viewed(c, v, err)
}

func (p *Routes) kioskFace(c *fiber.Ctx, x *route.Exchange) error {
	r, err := p.receiveKiosk(c, x, p.deps.LivenessBytes, p.kioskImages("face_1", "face_2", "face_3")...)
	if err != nil {
		return err
	}
	ctx, stop := p.frame.Watch(c, x)
	defer stop()
	v, d, err := p.deps.Kiosk.Desk.Face(ctx, x.Key, r.run, x.ID, r.images)
	decides(x, d)
	return viewed(c, v, err)
}

// decides takes what a step of the kiosk decided for journal and events, which know it by the endpoint that does the same.
func decides(x *route.Exchange, d appliance.Decision) {
	if d.Endpoint == "" {
		return
	}
	d.RequestID, d.Key = x.ID, x.Key
	x.Decision, x.Stands = d, true
}

// kioskGlance answers what the customer should change about a picture of the browser's camera, and where the document lies.
func (p *Routes) kioskGlance(c *fiber.Ctx, x *route.Exchange) error {
	r, err := p.receiveKiosk(c, x, p.deps.BodyBytes, "image")
	if err != nil {
		return err
	}
	ctx, stop := p.frame.Watch(c, x)
	defer stop()
	seen, err := p.deps.Kiosk.Desk.Glance(ctx, x.Key, r.run, r.images[0])
	if err != nil {
		return err
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("guidance").Text(string(seen.Guidance))
	w.Name("text").Text(seen.Guidance.TextIn(x.Language))
	w.Name("kind").Text(string(seen.Kind))
	w.Name("outline")
	if seen.Quad == (appliance.Quad{}) {
		w.Null()
	} else {
		w.Text(wire.Outline(seen))
	}
	w.Close()
	return route.Succeed(c, w.Plain())
}

// kioskPreview streams what the appliance's own camera sees, as the preview of the API does.
func (p *Routes) kioskPreview(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.screen(c, x); err != nil {
		return err
	}
	return p.deps.Preview(c, x)
}
