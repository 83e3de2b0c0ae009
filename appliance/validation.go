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

// Doubts reports whether a code says that something is wrong with what a document shows or how it was read. A document whose days are
// over was read well, and the check digit is advisory.
func (c Code) Doubts() bool { return c != CodeExpired && c != CodeCheckDigit }

// Validation is what is wrong with one field; Field is "" when it concerns the document as a whole.
type Validation struct {
	Field  string
	Value  string
	Errors []Code
}
