package daemon

import (
	"context"
	"fmt"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/camera"
	"github.com/bawab/bawab/camera/replay"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon/watch"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
)

// cameraStuckAfter is how long one call to the camera's driver may take: OpenCV itself gives up after 10 s, twice in a row. Native
// code cannot be interrupted, so the only cure is a new process.
const cameraStuckAfter = 30 * time.Second

// openCamera begins to capture; without a configured camera it does nothing. A camera that is not there is a warning.
func (d *daemon) openCamera(ctx context.Context) error {
	if d.cfg.Camera.Device == "" {
		return nil
	}
	d.camera = camera.New(cameraOpener(d.cfg.Camera), d.log)
	if err := d.camera.Open(ctx); err != nil {
		return err
	}
	d.push("camera", d.camera.Close)
	return nil
}

// cameraOpener opens what the configuration names.
func cameraOpener(c configs.Camera) appliance.CameraOpener {
	open := camera.Opener(camera.Settings{Device: c.Device, Format: c.Format, Width: c.Width, Height: c.Height, Rate: c.FPS})
	if path := c.Replay(); path != "" {
		open = replay.New(replay.Config{Path: path}).Open
	}
	return camera.Rotated(open, c.Rotate)
}

// capturer puts the use cases of the camera over it; nil without one. Its networks are those of the appliance.
func (d *daemon) capturer(ctx context.Context) (*usecase.Capturer, error) {
	if d.camera == nil {
		return nil, nil
	}
	id, err := d.store.Identity(ctx)
	if err != nil {
		return nil, fmt.Errorf("open identity: %w", err)
	}
	deps := usecase.CapturerDeps{
		Appliance: d.appliance, Camera: d.camera, Identity: id,
		Rule: usecase.BurstRule{Least: d.cfg.Camera.GapMin, Most: d.cfg.Camera.GapMax}, Budget: d.cfg.Camera.Budget,
		Viewers: d.cfg.Camera.Viewers, Challenge: d.cfg.Camera.Challenge == "flashes", Recording: d.cfg.Camera.Replay() != "",
		Version: d.version, Now: time.Now,
	}
	if err := deps.Rule.Check(); err != nil {
		return nil, err
	}
	return usecase.NewCapturer(deps), nil
}

// statedModels returns SHA-256 and thresholds of the networks that a liveness check rests on.
func statedModels(set *models.Set) (sums map[string]string, thresholds map[string]float64) {
	sums, thresholds = map[string]string{}, map[string]float64{}
	for _, name := range []string{
		engine.ModelFaces, engine.ModelLandmarks, engine.ModelEmbedder, engine.ModelNearer,
		engine.ModelLiveness, engine.ModelWide,
	} {
		m, err := set.Model(name)
		if err != nil {
			continue // this binary does not carry it
		}
		sums[name] = m.SHA256
		for what, t := range m.Thresholds {
			thresholds[name+"."+what] = t.Value
		}
	}
	return sums, thresholds
}

// cameraWarnings returns what is wrong with the camera now.
func (d *daemon) cameraWarnings() []appliance.Warning {
	if d.camera == nil {
		return nil
	}
	w := d.camera.Warnings()
	if d.cfg.Camera.Replay() != "" {
		w = append(w, appliance.CameraWarning(appliance.WarnCameraPlayed))
	}
	return w
}

// cameraStuck is an error once the camera's driver has not returned for too long.
func (d *daemon) cameraStuck(now time.Time) error {
	if d.camera == nil {
		return nil
	}
	if stuck := d.camera.Stuck(now); stuck > cameraStuckAfter {
		return fmt.Errorf("the camera's driver has not returned for %v", stuck.Round(time.Second))
	}
	return nil
}

// watchedFrames is a judge of frames under a vigil.
type watchedFrames struct {
	vigil *watch.Vigil
	appliance.FrameJudge
}

// JudgeFrame implements appliance.FrameJudge.
func (w watchedFrames) JudgeFrame(ctx context.Context, p *appliance.Picture) (appliance.Guidance, error) {
	defer w.vigil.Begin()()
	return w.FrameJudge.JudgeFrame(ctx, p)
}

// PlaceFrame implements appliance.FramePlacer.
func (w watchedFrames) PlaceFrame(ctx context.Context, p *appliance.Picture) (appliance.Sight, error) {
	defer w.vigil.Begin()()
	placer, ok := w.FrameJudge.(appliance.FramePlacer)
	if !ok {
		said, err := w.FrameJudge.JudgeFrame(ctx, p)
		return appliance.Sight{Guidance: said}, err
	}
	return placer.PlaceFrame(ctx, p)
}
