package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/eval/person"
	"github.com/bawab/bawab/inference/eval/score"
)

// Trial is a decision between two classes, by a score. A genuine presentation is one of one person, a living one or a genuine document;
// the others are impostors or attacks.
type Trial struct {
	// Presentations counts what was shown of each class, Subjects who was shown or whose documents, 0 where it is not known.
	Presentations [2]int `json:"presentations"` // genuine, attacks
	Subjects      int    `json:"subjects,omitempty"`
	// Taken is how many presentations could be used: the rest are failures to acquire, or gave no response (APNRR, BPNRR).
	Taken score.Share `json:"acquired"`
	// Refused is FNMR or BPCER, Passed FMR or, of each kind of attack, APCER: all at the operating point.
	Refused score.Share            `json:"genuine_refused"`
	Passed  map[string]score.Share `json:"attacks_passed"`
	// Worst is the kind of attack of which most pass, which ISO/IEC 30107-3 asks for.
	Worst string `json:"worst"`
	// EER is the error rate at which both errors are alike, and Curves the errors at all thresholds, by kind of attack.
	EER    float64            `json:"eer"`
	Curves map[string][]Point `json:"curves"`
}

// Point is both shares of error at a threshold.
type Point struct {
	Threshold float64 `json:"threshold"`
	Passed    float64 `json:"passed"`
	Refused   float64 `json:"refused"`
}

// curvePoints bounds the points of a curve, which many presentations would fill the page with.
const curvePoints = 240

// curveOf gives both errors at the thresholds at which one of them changes. What scores less than a threshold is refused.
func curveOf(genuine, attacks []float64) (points []Point) {
	if len(genuine) == 0 || len(attacks) == 0 {
		return nil
	}
	slices.Sort(genuine)
	slices.Sort(attacks)
	at := slices.Compact(slices.Sorted(slices.Values(slices.Concat(genuine, attacks))))
	share := func(sorted []float64, below float64) float64 {
		i, _ := slices.BinarySearchFunc(sorted, below, func(v, x float64) int { return cmp.Compare(v, x) })
		return float64(i) / float64(len(sorted))
	}
	for _, t := range at {
		p := Point{t, 1 - share(attacks, t), share(genuine, t)}
		if n := len(points); n > 1 && points[n-1].Passed == p.Passed && points[n-2].Passed == p.Passed {
			points[n-1] = p
			continue
		}
		points = append(points, p)
	}
	for len(points) > curvePoints {
		thin := points[:0]
		for i, p := range points {
			if i%2 == 0 || i == len(points)-1 {
				thin = append(thin, p)
			}
		}
		points = thin
	}
	return points
}

// worst names the kind of attack of which most pass.
func (t *Trial) worst() {
	for _, name := range slices.Sorted(maps.Keys(t.Passed)) {
		if t.Worst == "" || t.Passed[name].Share > t.Passed[t.Worst].Share {
			t.Worst = name
		}
	}
}

// add counts an attack of a kind.
func (t *Trial) add(kind string, passed bool) {
	s := t.Passed[kind]
	s.Add(passed)
	t.Passed[kind] = s
}

// everyone is the kind of all impostors together.
const everyone = "all"

// matchOf sums up pairs of faces; limit is the cosine from which they match.
func matchOf(p person.Pairs, limit float64) *Trial {
	t := &Trial{Presentations: [2]int{len(p.Genuine), len(p.Impostor)}, Subjects: p.Subjects, Passed: map[string]score.Share{}}
	t.Taken.Count(p.Acquired, p.Pictures-p.Failed)
	for _, c := range p.Genuine {
		t.Refused.Add(c < limit)
	}
	for _, c := range p.Impostor {
		t.add(everyone, c >= limit)
	}
	t.Curves = map[string][]Point{everyone: curveOf(p.Genuine, p.Impostor)}
	_, t.EER = score.Parting(p.Impostor, p.Genuine)
	t.worst()
	return t
}

// presentation is one that was shown to a detector of attacks: sure is how surely it is genuine.
type presentation struct {
	kind, subject string // kind "" is genuine
	sure          float64
	taken, passed bool
}

// detectionOf sums up presentations as ISO/IEC 30107-3 does.
func detectionOf(all []presentation) *Trial {
	t := &Trial{Passed: map[string]score.Share{}, Curves: map[string][]Point{}}
	subjects, scores := map[string]bool{}, map[string][]float64{}
	for _, p := range all {
		if p.kind == "" {
			t.Presentations[0]++
		} else {
			t.Presentations[1]++
		}
		if p.subject != "" {
			subjects[p.subject] = true
		}
		if t.Taken.Add(p.taken); !p.taken {
			continue
		}
		scores[p.kind] = append(scores[p.kind], p.sure)
		if p.kind == "" {
			t.Refused.Add(!p.passed)
		} else {
			t.add(p.kind, p.passed)
		}
	}
	t.Subjects = len(subjects)
	var attacks []float64
	for kind, s := range scores {
		if kind == "" {
			continue
		}
		attacks = append(attacks, s...)
		if points := curveOf(slices.Clone(scores[""]), s); points != nil {
			t.Curves[kind] = points
		}
	}
	_, t.EER = score.Parting(attacks, scores[""])
	t.worst()
	return t
}

// livenessOf sums up bursts.
func livenessOf(list []person.Presentation) *Trial {
	var all []presentation
	for _, p := range list {
		if !p.Failed {
			all = append(all, presentation{kind: p.Kind, subject: p.Subject, sure: 1 - p.Attack, taken: true, passed: p.Live})
		}
	}
	return detectionOf(all)
}

// fraudOf sums up the documents of the set, which are genuine, and forged and genuine ones that were shown beside them. A document is as
// sure as its worst cue says; the thresholds of cues differ, so each score counts as a share of its own.
func fraudOf(readings []document.Reading, list []document.Presentation) *Trial {
	var all []presentation
	for i := range readings {
		r := &readings[i]
		if r.Failed == "" && (len(r.Cues) > 0 || r.Answered == "") {
			sure, fake := surely(r.Cues)
			all = append(all, presentation{subject: r.Person, sure: sure, taken: r.Answered != "", passed: !fake})
		}
	}
	for i := range list {
		p := &list[i]
		if !p.Failed {
			sure, _ := surely(p.Cues)
			all = append(all, presentation{kind: p.Attack, subject: p.Person, sure: sure, taken: p.Found, passed: !p.Fake})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return detectionOf(all)
}

// surely is how sure the cues are that a document is genuine: a half where one just reaches its threshold.
func surely(cues []document.CueReading) (sure float64, fake bool) {
	sure = 1
	for _, c := range cues {
		if c.NotJudged != "" || c.Threshold <= 0 {
			continue
		}
		s := 1 - c.Score/c.Threshold/2
		if c.Score > c.Threshold {
			s = 0.5 * (1 - c.Score) / max(1-c.Threshold, 1e-9)
		}
		sure, fake = min(sure, max(s, 0)), fake || c.Score >= c.Threshold
	}
	return sure, fake
}
