package usecase

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
)

// eagerJudge is a burstJudge that keeps which pictures it saw when, and fails at one that shows "fail".
type eagerJudge struct {
	burstJudge
	began time.Time
	log   []string
}

func (j *eagerJudge) Begin() appliance.Judgement {
	j.log = append(j.log, "begin")
	return &eagerJudgement{judge: j}
}

type eagerJudgement struct {
	judge  *eagerJudge
	frames []*appliance.Picture
}

func (e *eagerJudgement) See(_ context.Context, p *appliance.Picture) error {
	if string(p.Cb) == "ready fail" {
		return errors.New("network failed")
	}
	e.frames = append(e.frames, p)
	e.judge.log = append(e.judge.log, string(p.Cb)+" at "+time.Since(e.judge.began).String())
	return nil
}

func (e *eagerJudgement) Conclude(ctx context.Context) (appliance.BurstFindings, error) {
	return e.judge.Judge(ctx, e.frames)
}

// The first two frames of a burst are looked at when they come, so that only the third is left when it comes; a burst that begins
// anew is looked at anew, and what fails under way ends the capture.
func TestLookEarly(t *testing.T) {
	at := func(shows map[int]string) (frames []scriptFrame) {
		for ms := 0; ms <= 3000; ms += 100 {
			if show, ok := shows[ms]; ok {
				frames = append(frames, scriptFrame{ms: ms, show: show})
			}
		}
		return frames
	}
	for _, tt := range []struct {
		name   string
		frames []scriptFrame
		want   []string
		fails  bool
	}{
		{
			"three frames", at(map[int]string{100: "ready a", 300: "ready b", 500: "ready c"}),
			[]string{"begin", "ready a at 100ms", "ready b at 300ms", "ready c at 500ms"},
			false,
		},
		{
			"a gap after the second", at(map[int]string{100: "ready a", 300: "ready b", 1000: "ready c", 1200: "ready d", 1400: "ready e"}),
			[]string{"begin", "ready a at 100ms", "ready b at 300ms", "begin", "ready c at 1s", "ready d at 1.2s", "ready e at 1.4s"},
			false,
		},
		{
			"a failure at the second", at(map[int]string{100: "ready a", 300: "ready fail", 500: "ready c"}),
			[]string{"begin", "ready a at 100ms"},
			true,
		},
		{
			"a failure at the third", at(map[int]string{100: "ready a", 300: "ready b", 500: "ready fail"}),
			[]string{"begin", "ready a at 100ms", "ready b at 300ms"},
			true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := newKiosk(t, tt.frames, nil)
				judge := &eagerJudge{began: time.Now()}
				k.networks().Faces.Judge = judge
				out, err := k.Liveness(t.Context(), compared)
				if (err != nil) != tt.fails || out.IsLive == tt.fails {
					t.Errorf("live %v, %v", out.IsLive, err)
				}
				if diff := cmp.Diff(tt.want, judge.log); diff != "" {
					t.Error(diff)
				}
				if len(k.taken) != 0 {
					t.Error("the camera was not given back")
				}
			})
		})
	}
}
