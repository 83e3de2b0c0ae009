package wire

import (
	"time"

	"github.com/bawab/bawab/appliance"
)

// Match writes the members of a face match up to the ids.
func (w *Writer) Match(m appliance.FaceMatch) {
	w.Name("isMatched").Truth(m.IsMatched)
	w.Name("similarity").Number(m.Similarity)
	w.Name("threshold").Number(m.Threshold)
	w.Name("reference").reference(m.Reference)
}

// LivenessEvidence writes what stands behind a liveness result, or null when it is not asked for. Scores are for admin keys alone:
// with them an attack could be tuned.
func (w *Writer) LivenessEvidence(l appliance.Liveness, asked, admin bool) {
	if !asked {
		w.Null()
		return
	}
	w.Begin()
	w.Name("evidence").Begin()
	w.Name("threshold").Number(l.Threshold)
	if admin {
		w.Name("score").Number(l.Score)
		w.Name("cues").cues(l.Cues)
	} else {
		w.Name("score").Null()
		w.Name("cues").Null()
	}
	w.Close()
	w.Close()
}

// Reasons writes why faces were refused.
func (w *Writer) Reasons(list []appliance.Reason) {
	w.Open()
	for _, r := range list {
		w.Text(string(r))
	}
	w.Shut()
}

// reference writes which document the faces were compared with.
func (w *Writer) reference(r appliance.Reference) {
	w.Begin()
	w.Name("kind").Text(string(r.Kind))
	w.Name("request_id").Text(r.RequestID)
	w.Close()
}

// gaps writes times between frames in milliseconds, or null where they are not known.
func (w *Writer) gaps(list []time.Duration) {
	if list == nil {
		w.Null()
		return
	}
	w.Open()
	for _, gap := range list {
		w.Number(float64(gap) / float64(time.Millisecond))
	}
	w.Shut()
}

// Liveness writes the members of a liveness result up to the ids.
func (w *Writer) Liveness(l appliance.Liveness) {
	w.Name("isLive").Truth(l.IsLive)
	w.Name("isMatched").Truth(l.IsMatched)
	w.Name("reasons").Reasons(l.Reasons)
	w.Name("similarity").Number(l.Similarity)
	w.Name("liveness_score").Number(l.PublicScore())
	w.Name("gaps_ms").gaps(l.Gaps)
	w.Name("source").Text(l.Source)
	w.Name("reference").reference(l.Reference)
}

// Quality writes how well a picture shows a face.
func (w *Writer) Quality(q appliance.FaceQuality) {
	w.Begin()
	w.Name("score").Number(q.Score)
	w.Name("eye_distance").Number(q.EyeDistance)
	w.Name("yaw").Number(q.Yaw)
	w.Name("pitch").Number(q.Pitch)
	w.Name("roll").Number(q.Roll)
	w.Name("sharpness").Number(q.Sharpness)
	w.Name("light").Number(q.Light)
	w.Name("contrast").Number(q.Contrast)
	w.Name("covered").Number(q.Covered)
	w.Close()
}
