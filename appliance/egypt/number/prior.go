package number

// What is expected of a number before any ink is seen. All of it is weak: it decides between readings that the ink leaves
// nearly even. Set by judgement on 20 November 2026 from the reference's account of the number, not fitted.
const (
	// obeys1900 and obeys2000 are the shares of numbers of each century whose last digit follows the rule of CheckDigit. The
	// rule was never published, and is reported to fail for many numbers since 2000.
	obeys1900 = 0.75
	obeys2000 = 0.5
	// strange is how probable one string that breaks the grammar is, compared with one that keeps it. It protects clear
	// ink: a digit that is a thousand times likelier than the repair stays.
	strange = 1e-3
	// overruled is the share of the best digit's belief under which no evidence whatever puts another digit in its place.
	overruled = 1e-3
	// birthAgrees, otherAgrees and sexAgrees are how often the printed birth date, the number on the other side and the
	// printed sex agree with the number. They also bound what each may do: no reading gains more than their odds by them.
	birthAgrees = 0.995
	otherAgrees = 0.995
	sexAgrees   = 0.995
	// sexRead is the confidence of a sex that comes without one.
	sexRead = 0.99
)

// agePrior is the weight of an age in years on the day of reading: cards are issued from the sixteenth year on, few holders
// are older than eighty. It never leaves the range 0.1 to 1.
func agePrior(age int) float64 {
	switch {
	case age < 15:
		return 0.2
	case age <= 80:
		return 1
	case age <= 100:
		return 0.3
	}
	return 0.1
}

// governoratePrior is the prior of the i-th of Governorates. Half of it is even, the other half follows the population of
// the governorates per thousand, rounded, so that no code is less than half as likely as an average one.
func governoratePrior(i int) float64 {
	people := [...]float64{
		95, 54, 8, 8, 16, 68, 75, 59, 35, 52, 45, 65, 14, 87, 33, 38, 59, 47, 53, 34, 16, 13, 4, 3, 5, 5, 1, 8,
	}
	return 0.5/float64(len(people)) + 0.5*people[i]/1000
}

// checkPrior is the probability of a last digit after thirteen digits of a weighted sum modulo 11. Where sources disagree
// about the rule, every digit is as likely.
func checkPrior(century, residue, digit int) float64 {
	k := 11 - residue
	if k > 9 {
		return 0.1
	}
	obeys := obeys1900
	if century == 1 {
		obeys = obeys2000
	}
	p := (1 - obeys) / 10
	if digit == k {
		p += obeys
	}
	return p
}

// checkWeight is the factor of the i-th digit, from 0, in the sum of the check digit.
func checkWeight(i int) int { return 2 + (Length-2-i)%6 }
