package httpapi

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/gofiber/fiber/v2"
)

// cameraRequest is the body of a request to the appliance's own camera.
type cameraRequest struct {
	*wire.Request
	endpoint appliance.Endpoint // of a document
	frames   bool               // the answer shall carry the frames that were judged
}

// cameraReady is nil once requests can use the camera. Where there is none, waiting does not help.
func (s *Server) cameraReady(x *route.Exchange) error {
	if s.deps.Camera != nil {
		return nil
	}
	x.Lasting = true
	return appliance.Errorf(
		appliance.CodeUnavailable,
		"no camera is configured: ask the operator to set camera.device, or send pictures",
	)
}

// receiveCamera makes the checks of a camera request; document tells which of the two it is.
func (s *Server) receiveCamera(c *fiber.Ctx, x *route.Exchange, document bool) (*cameraRequest, error) {
	if err := s.gate.Authorize(c, &x.Visitor, appliance.ScopeCamera); err != nil {
		return nil, err
	}
	body, err := s.frame.Read(c, x, s.cfg.BodyBytes)
	if err != nil {
		return nil, err
	}
	f := s.form(!document)
	var r cameraRequest
	err = s.frame.Parse(c, x, body, append(f.Known(), "endpoint", "frames"), func(m wire.Members) (err error) {
		if r.Request, err = f.Read(m); err != nil {
			return err
		}
		if document {
			r.endpoint, err = endpointOf(m, "endpoint")
		} else {
			r.frames, err = m.Truth("frames")
		}
		return err
	})
	if r.Request != nil {
		x.Decision.TransactionID = r.TransactionID
	}
	if err == nil {
		err = s.cameraReady(x)
	}
	if err != nil && r.Request != nil {
		s.deps.Appliance.Renew(appliance.WithCaller(s.frame.Work, x.Caller), r.TransactionID)
	}
	return &r, err
}

// endpointOf returns the endpoint that reads a document, named by its path below /v1/ocr.
func endpointOf(m wire.Members, name string) (appliance.Endpoint, error) {
	var known []string
	for _, e := range appliance.DocumentEndpoints() {
		known = append(known, strings.TrimPrefix(string(e), "ocr/"))
	}
	if m.Absent(name) {
		return "", wire.MemberError(name, "is missing: send one of %s", strings.Join(known, ", "))
	}
	s, err := m.Text(name)
	if err != nil {
		return "", err
	}
	for i, e := range appliance.DocumentEndpoints() {
		if known[i] == string(s) {
			return e, nil
		}
	}
	return "", wire.MemberError(name, "is unknown: send one of %s", strings.Join(known, ", "))
}

// cameraDocument captures a document and answers as the endpoint that the request names.
func (s *Server) cameraDocument(c *fiber.Ctx, x *route.Exchange) error {
	r, err := s.receiveCamera(c, x, true)
	if err != nil {
		return err
	}
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	answer, err := s.deps.Camera.Document(ctx, usecase.ReadRequest{
		Endpoint: r.endpoint, RequestID: x.ID, TransactionID: r.TransactionID, ClientTransactionID: r.ClientTransactionID,
	})
	return tell(c, x, r.endpoint, r.Request, answer, err)
}

// cameraLiveness captures a burst and answers as the liveness check of uploaded pictures does, with the signed statement.
func (s *Server) cameraLiveness(c *fiber.Ctx, x *route.Exchange) error {
	r, err := s.receiveCamera(c, x, false)
	if err != nil {
		return err
	}
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	ids := comparison(r.Request, x)
	l, err := s.deps.Camera.Liveness(ctx, ids)
	x.Stages = l.Stages
	if err != nil {
		return err
	}
	live(x, l.Liveness)
	if !r.frames {
		l.Frames = nil
	}
	return route.Succeed(c, capturedEnvelope(ids, l, r, x.Caller.Admin))
}

// capturedEnvelope writes the answer to a liveness check with the appliance's own camera.
func capturedEnvelope(c usecase.Comparison, l usecase.CapturedLiveness, r *cameraRequest, admin bool) []byte {
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Liveness(l.Liveness)
	w.Name("proof").Begin()
	w.Name("statement").Text(base64.StdEncoding.EncodeToString(l.Proof.Statement))
	w.Name("signature").Text(base64.StdEncoding.EncodeToString(l.Proof.Signature))
	w.Close()
	if r.frames {
		w.Name("frames").Open()
		for _, f := range l.Frames {
			w.Text(base64.StdEncoding.EncodeToString(f))
		}
		w.Shut()
	}
	compared(w, c, l.Reviewed)
	w.Close()
	w.Name("Services")
	w.LivenessEvidence(l.Liveness, r.Evidence, admin)
	w.End(0, "")
	return w.Bytes()
}

// previewBoundary stands between the parts of the preview.
const previewBoundary = "bawab-frame"

// cameraPreview streams what the camera sees, one JPEG a part, with what the person should do in the headers of each part. It
// ends with the camera, with the server and with a viewer that takes no frame for WriteTimeout.
func (s *Server) cameraPreview(c *fiber.Ctx, x *route.Exchange) error {
	shared, err := s.gate.View(c, &x.Visitor)
	if err != nil {
		return err
	}
	x.Shared = shared
	return s.stream(c, x)
}

// previewToken answers an address of the preview that needs no key for a minute.
func (s *Server) previewToken(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.gate.Authorize(c, &x.Visitor, appliance.ScopeCamera); err != nil {
		return err
	}
	if err := s.cameraReady(x); err != nil {
		return err
	}
	secret := s.gate.Ticket(c, &x.Visitor)
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("url").Text("/v1/camera/preview?token=" + secret)
	w.Name("expires_in").Number(access.TicketLife.Seconds())
	w.Close()
	return route.Succeed(c, w.Plain())
}

// burst takes three frames as a liveness check does, and returns the times between them.
func (s *Server) burst(ctx context.Context, x *route.Exchange) ([]time.Duration, error) {
	if err := s.cameraReady(x); err != nil {
		return nil, err
	}
	return s.deps.Camera.TryBurst(ctx)
}

// stream is the preview for a viewer who may see it.
func (s *Server) stream(c *fiber.Ctx, x *route.Exchange) error {
	subject := usecase.SubjectFace
	switch c.Query("subject", "face") {
	case "face":
	case "document":
		subject = usecase.SubjectDocument
	default:
		return appliance.Errorf(appliance.CodeBadRequest, "subject is neither face nor document")
	}
	if err := s.cameraReady(x); err != nil {
		return err
	}
	leave, err := s.deps.Camera.Admit()
	if err != nil {
		return err
	}
	if err := s.firstFrame(c, x); err != nil {
		leave()
		return err
	}
	conn, language := c.Context().Conn(), x.Language
	c.Set(fiber.HeaderContentType, "multipart/x-mixed-replace; boundary="+previewBoundary)
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer leave()
		// Whatever ends the preview ends it for the viewer, who sees the stream end; there is nobody else to tell.
		_ = s.deps.Camera.Show(s.frame.Streams, subject, func(f *appliance.Frame, seen appliance.Sight) error {
			if err := conn.SetWriteDeadline(time.Now().Add(s.cfg.WriteTimeout)); err != nil {
				return fmt.Errorf("send preview: %w", err)
			}
			return writePart(w, f, told{seen, language}, s.deps.Camera.Flash())
		})
	})
	return nil
}

// firstFrame waits for the camera, so that one that is gone is an answer and not an empty stream.
func (s *Server) firstFrame(c *fiber.Ctx, x *route.Exchange) error {
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(s.frame.Streams, cancel)()
	defer cancel()
	_, err := s.deps.Camera.Camera.Next(ctx, 0)
	return err
}

// told is what is seen in a frame, on its way to a viewer.
type told struct {
	appliance.Sight
	language appliance.Language
}

// writePart writes one frame, with the colour that the screen should show during a challenge. The
// sentence is UTF-8: the headers of a part lie in the body.
func writePart(w *bufio.Writer, f *appliance.Frame, g told, flash usecase.Flash) error {
	fmt.Fprintf(w, "--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n", previewBoundary, len(f.JPEG))
	if g.Guidance != "" {
		fmt.Fprintf(w, "X-Guidance: %s\r\nX-Guidance-Text: %s\r\n", g.Guidance, g.Guidance.TextIn(g.language))
	}
	if g.Quad != (appliance.Quad{}) {
		fmt.Fprintf(w, "X-Outline: %s\r\nX-Kind: %s\r\n", wire.Outline(g.Sight), g.Kind)
	}
	if flash != "" {
		fmt.Fprintf(w, "X-Flash: %s\r\n", flash)
	}
	_, _ = w.WriteString("\r\n") // a bufio.Writer keeps its first error for Flush
	_, _ = w.Write(f.JPEG)
	_, _ = w.WriteString("\r\n")
	if err := w.Flush(); err != nil {
		return fmt.Errorf("send preview: %w", err)
	}
	return nil
}
