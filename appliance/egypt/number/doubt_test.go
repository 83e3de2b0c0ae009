package number

// What is less sure than this counts as doubtful in the tests: at most 5 in 10,000 numbers may be wrong and not doubtful. On the 600
// photographs that [Cell] was judged by, 539 numbers were above it, none wrong, and 768 of 825 dates, one of them wrong.
const (
	doubtfulNumber = 0.995
	doubtfulDate   = 0.97
)

func (n Reading) doubtful() bool { return !(n.Confidence >= doubtfulNumber) }

func (d Date) doubtful() bool { return !(d.Confidence >= doubtfulDate) }
