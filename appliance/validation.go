package appliance

// Field-level codes, in validation_errors of a 200 answer.
const (
	CodeIDNumber       Code = 3001
	CodeBirthDate      Code = 3002
	CodeGovernorate    Code = 3003
	CodeIDKey          Code = 3004
	CodeGender         Code = 3005
	CodeReleaseDate    Code = 3006
	CodeBirthFormat    Code = 3007
	CodeReleaseFormat  Code = 3008
	CodeExpiryFormat   Code = 3009
	CodeExpired        Code = 3010
	CodeMRZCheck       Code = 3013
	CodeTwoCenturies   Code = 3014
	CodeNumberDiffers  Code = 3101
	CodeNameDiffers    Code = 3102
	CodeOtherHolder    Code = 3103
	CodeLowConfidence  Code = 3301
	CodeUnreadable     Code = 3302
	CodeBirthMismatch  Code = 3303
	CodeGenderMismatch Code = 3304
	CodeCheckDigit     Code = 3305
	CodeExpirySpan     Code = 3306
	CodePlateRule      Code = 3307
	CodeOtherDocument  Code = 3308
	CodePrintDiffers   Code = 3309
)

// Validation is what is wrong with one field; Field is "" when it concerns the document as a whole.
type Validation struct {
	Field  string
	Value  string
	Errors []Code
}

// Message returns the sentence that goes with a field-level code.
func (c Code) Message() string {
	switch c {
	case CodeIDNumber:
		return "the ID number is not valid: it needs 14 digits that begin with 2 or 3"
	case CodeBirthDate:
		return "the birth date in the ID number is not a past calendar date"
	case CodeGovernorate:
		return "the governorate code in the ID number is not known"
	case CodeIDKey:
		return "the ID key is not valid"
	case CodeGender:
		return "the gender is not valid"
	case CodeReleaseDate:
		return "the release date is not valid"
	case CodeBirthFormat:
		return "the birth date is not in the printed format"
	case CodeReleaseFormat:
		return "the release date is not in the printed format"
	case CodeExpiryFormat:
		return "the expiry date is not in the printed format"
	case CodeExpired:
		return "the document has expired"
	case CodeMRZCheck:
		return "a check digit of the machine readable zone is wrong"
	case CodeTwoCenturies:
		return "the year may be of either century and nothing else decides: compare it with the document"
	case CodeNumberDiffers:
		return "the ID number differs between front and back of this transaction"
	case CodeNameDiffers:
		return "the name differs between ID and licence of this transaction"
	case CodeOtherHolder:
		return "the identity documents of this transaction belong to different holders: begin a new transaction"
	case CodeLowConfidence:
		return "the field was read with low confidence: compare it with the document"
	case CodeUnreadable:
		return "the field could not be read: take a sharper picture without glare"
	case CodeBirthMismatch:
		return "the printed birth date disagrees with the ID number"
	case CodeGenderMismatch:
		return "the printed gender disagrees with the ID number"
	case CodeCheckDigit:
		return "the check digit of the ID number disagrees (advisory)"
	case CodeExpirySpan:
		return "the expiry date is not seven years after the release date"
	case CodePlateRule:
		return "the plate breaks the rules for letters, digits or their count"
	case CodeOtherDocument:
		return "the picture shows another document than this endpoint is for"
	case CodePrintDiffers:
		return "the printed value disagrees with the machine readable zone: compare the two"
	}
	return "the field is not valid"
}
