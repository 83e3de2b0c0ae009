package number

// Code says what is wrong with a value, as the numbers of the service's field-level codes.
type Code int

// The codes that this package decides.
const (
	CodeIDNumber       Code = 3001 // not 14 digits, or a century digit other than 2 or 3
	CodeBirthDate      Code = 3002 // digits 2 to 7 are no past calendar date
	CodeGovernorate    Code = 3003 // digits 8 and 9 are no governorate
	CodeIDKey          Code = 3004 // not two letters and seven digits
	CodeGender         Code = 3005 // a word is printed that is no gender
	CodeReleaseDate    Code = 3006 // no calendar month of the past
	CodeBirthFormat    Code = 3007 // the printed birth date is not YYYY/MM/DD
	CodeReleaseFormat  Code = 3008 // the printed release date is not YYYY/MM
	CodeExpiryFormat   Code = 3009 // the printed expiry date is not YYYY/MM/DD
	CodeExpired        Code = 3010 // the last day of validity is over in Cairo
	CodeBirthMismatch  Code = 3303 // the printed birth date disagrees with the number
	CodeGenderMismatch Code = 3304 // the printed gender disagrees with the number
	CodeCheckDigit     Code = 3305 // advisory
	CodeExpirySpan     Code = 3306 // the expiry is not seven years after the release
)
