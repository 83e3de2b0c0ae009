package fraud

import "github.com/bawab/bawab/appliance"

// numberInconsistent scores a number that disagrees with what is printed beside it, by how sure its reading is. A number
// that the reader itself doubts proves nothing, and gets half. Whether it agrees with the other side of the card is for
// the one who knows the transaction.
func numberInconsistent(doc *appliance.Document) float64 {
	const number = "idNumber"
	if !doc.Flagged(number, appliance.CodeBirthMismatch, appliance.CodeGenderMismatch) &&
		!doc.Flagged("dateOfBirth", appliance.CodeBirthMismatch) && !doc.Flagged("gender", appliance.CodeGenderMismatch) {
		return 0
	}
	score := doc.Field(number).Confidence
	if doc.Flagged(number, appliance.CodeLowConfidence, appliance.CodeUnreadable) {
		score /= 2
	}
	return score
}
