package client

// What answers hold, generated from the API's description: `go test ./appliance/client -write`

import "encoding/json"

// GUID: RFC 4122 text form; answered in lower case, accepted in any case.
type GUID = string

// KnownTransaction: The id of a transaction that holds an identity document; the nil GUID counts as missing.
type KnownTransaction = string

// NewOrKnownTransaction: null and the nil GUID start a new transaction, and so does "", which older clients send; an unknown GUID starts the transaction of that id.
type NewOrKnownTransaction = *string

// Date: YYYY-MM-DD; null when it could not be read.
type Date = *string

// Picture: A picture in base64, at most 8 MiB and 25 million pixels, 64 to 16,384 pixels a side, for ocr/general and ocr/license_plate from 16; not empty and not blank.
type Picture = string

// ClientTransactionID: Any string up to 4 KiB of UTF-8, returned unchanged.
type ClientTransactionID = *string

// AskEvidence: true adds Services.evidence.
type AskEvidence = *bool

// Language: is a part of answers.
type Language string

// Subject: is a part of answers.
type Subject string

// DocumentEndpoint: A path below /ocr that reads a document.
type DocumentEndpoint string

// ErrorCode: What went wrong with a whole answer. 400 to 503 come with the same HTTP status, 4104 with 429, all others with 400. x-texts says what each means in English and Arabic.
type ErrorCode int

// The codes of ErrorCode.
const (
	CodeBadRequest         ErrorCode = 400
	CodeUnauthorized       ErrorCode = 401
	CodeForbidden          ErrorCode = 403
	CodeNotFound           ErrorCode = 404
	CodeMethodNotAllowed   ErrorCode = 405
	CodeTooLarge           ErrorCode = 413
	CodeMediaType          ErrorCode = 415
	CodeTooMany            ErrorCode = 429
	CodeInternal           ErrorCode = 500
	CodeNotBuilt           ErrorCode = 501
	CodeUnavailable        ErrorCode = 503
	CodeNoDocument         ErrorCode = 3011
	CodeTransactionUnknown ErrorCode = 4101
	CodeNoIdentityDocument ErrorCode = 4102
	CodeTransactionExpired ErrorCode = 4103
	CodeTooManyAttempts    ErrorCode = 4104
	CodeTransactionFull    ErrorCode = 4105
	CodeManyFaces          ErrorCode = 4206
	CodeNoFace             ErrorCode = 4207
	CodeNoPortrait         ErrorCode = 4208
	CodeFaceUnclear        ErrorCode = 4209
	CodePictureKind        ErrorCode = 5001
	CodePictureBytes       ErrorCode = 5002
	CodePicturePixels      ErrorCode = 5003
	CodePictureBroken      ErrorCode = 5004
	CodePictureTooThin     ErrorCode = 5005
)

// FieldCode: What is wrong with a field. x-texts has the sentences in English and Arabic.
type FieldCode int

// The codes of FieldCode.
const (
	CodeIDNumber       FieldCode = 3001
	CodeBirthDate      FieldCode = 3002
	CodeGovernorate    FieldCode = 3003
	CodeIDKey          FieldCode = 3004
	CodeGender         FieldCode = 3005
	CodeReleaseDate    FieldCode = 3006
	CodeBirthFormat    FieldCode = 3007
	CodeReleaseFormat  FieldCode = 3008
	CodeExpiryFormat   FieldCode = 3009
	CodeExpired        FieldCode = 3010
	CodeMRZCheck       FieldCode = 3013
	CodeTwoCenturies   FieldCode = 3014
	CodeNumberDiffers  FieldCode = 3101
	CodeNameDiffers    FieldCode = 3102
	CodeOtherHolder    FieldCode = 3103
	CodeLowConfidence  FieldCode = 3301
	CodeUnreadable     FieldCode = 3302
	CodeBirthMismatch  FieldCode = 3303
	CodeGenderMismatch FieldCode = 3304
	CodeCheckDigit     FieldCode = 3305
	CodeExpirySpan     FieldCode = 3306
	CodePlateRule      FieldCode = 3307
	CodeOtherDocument  FieldCode = 3308
	CodePrintDiffers   FieldCode = 3309
)

// FieldError: is a part of answers.
type FieldError struct {
	Code    FieldCode `json:"code"`
	Message string    `json:"message"`
}

// ValidationError: What is wrong with one field.
type ValidationError struct {
	Field  string       `json:"field"`
	Value  string       `json:"value"`
	Errors []FieldError `json:"errors"`
}

// Validations: is a part of answers.
type Validations struct {
	ValidationErrors []ValidationError `json:"validation_errors"`
}

// Spoofing: is a part of answers.
type Spoofing struct {
	Fake bool `json:"fake"`
}

// Classification: is a part of answers.
type Classification struct {
	DocType DocType `json:"doc_type"`
}

// Services: is a part of answers.
type Services struct {
	Validations    Validations    `json:"Validations"`
	Spoofing       Spoofing       `json:"spoofing"`
	Classification Classification `json:"classification"`
	Evidence       *Evidence      `json:"evidence,omitempty"`
}

// ListServices: What concerns a text, which is no document and has no spoofing and no doc_type.
type ListServices struct {
	Validations Validations   `json:"Validations"`
	Evidence    *ListEvidence `json:"evidence,omitempty"`
}

// MultiServices: What concerns the picture as a whole. evidence is there when it was asked for, and also unasked when the picture shows documents of a known kind beside those that were read, lest the answer look complete.
type MultiServices struct {
	Validations Validations    `json:"Validations"`
	Evidence    *MultiEvidence `json:"evidence,omitempty"`
}

// MultiEvidence: is a part of answers.
type MultiEvidence struct {
	Others []Other `json:"others"`
}

// Other: A further document in the picture, which was not read; the largest comes first.
type Other struct {
	DocType DocType `json:"doc_type"`
	Quad    Quad    `json:"quad"`
}

// Quad: Four corners [x, y] in pixels of the caller's picture, after EXIF orientation: top left, top right, bottom right, bottom left of the upright content. null when the place is not known.
type Quad [][]float64

// DocType: is a part of answers.
type DocType string

// Capture: How well the picture shows the document.
type Capture struct {
	Sharpness float64 `json:"sharpness"`
	Glare     float64 `json:"glare"`
	CutOff    bool    `json:"cut_off"`
	Covered   bool    `json:"covered"`
	TooSmall  bool    `json:"too_small"`
	Blurred   bool    `json:"blurred"`
	Glared    bool    `json:"glared"`
	Advice    string  `json:"advice"`
}

// Evidence: is a part of answers.
type Evidence struct {
	Document DocumentPlace            `json:"document"`
	Capture  Capture                  `json:"capture"`
	Others   []Other                  `json:"others"`
	Fields   map[string]FieldEvidence `json:"fields"`
	MRZ      []string                 `json:"mrz,omitempty"`
	Cues     []Cue                    `json:"cues"`
}

// DocumentPlace: is a part of answers.
type DocumentPlace struct {
	Quad Quad `json:"quad"`
}

// FieldEvidence: is a part of answers.
type FieldEvidence struct {
	Quad        Quad         `json:"quad"`
	Confidence  float64      `json:"confidence"`
	Characters  []float64    `json:"characters"`
	Raw         string       `json:"raw"`
	DerivedFrom []string     `json:"derived_from"`
	Repairs     []string     `json:"repairs"`
	Checks      []FieldCheck `json:"checks"`
}

// FieldCheck: is a part of answers.
type FieldCheck struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
}

// Cue: A named sign, 0 (none) to 1; one that reaches its threshold counts, and threshold 0 is one that is only reported.
type Cue struct {
	Name      string  `json:"name"`
	Score     float64 `json:"score"`
	Threshold float64 `json:"threshold"`
}

// ListEvidence: In the order of data.lines.
type ListEvidence struct {
	Lines []LineEvidence `json:"lines"`
}

// LineEvidence: is a part of answers.
type LineEvidence struct {
	Quad       Quad    `json:"quad"`
	Confidence float64 `json:"confidence"`
}

// NationalIDFront: is a part of answers.
type NationalIDFront struct {
	Name                string              `json:"name"`
	Address             string              `json:"address"`
	FirstName           string              `json:"first_name"`
	LastNames           string              `json:"last_names"`
	FirstNameEnglish    string              `json:"first_name_english"`
	LastNamesEnglish    string              `json:"last_names_english"`
	Govern              string              `json:"govern"`
	IdKey               string              `json:"idKey"`
	Address1            string              `json:"address_1"`
	Address2            string              `json:"address_2"`
	IdNumber            string              `json:"idNumber"`
	Gender              string              `json:"gender"`
	DateOfBirth         Date                `json:"dateOfBirth"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// NationalIDBack: is a part of answers.
type NationalIDBack struct {
	Job                 string              `json:"job"`
	JobTitle            string              `json:"jobTitle"`
	Religion            string              `json:"religion"`
	MaritalStatus       string              `json:"maritalStatus"`
	HusbandName         string              `json:"husbandName"`
	IdNumber            string              `json:"idNumber"`
	Gender              string              `json:"gender"`
	ReleaseDate         Date                `json:"releaseDate"`
	IdExpiry            Date                `json:"idExpiry"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// CarLicenseFront: is a part of answers.
type CarLicenseFront struct {
	TrafficUnit         string              `json:"traffic_unit"`
	LicenseNumber       string              `json:"license_number"`
	LicenseType         string              `json:"license_type"`
	Name                string              `json:"name"`
	Name2               string              `json:"name_2"`
	Nationality         string              `json:"nationality"`
	Address             string              `json:"address"`
	FrontSpecial        string              `json:"front_special"`
	Expiry              Date                `json:"expiry"`
	Issuance            Date                `json:"issuance"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// CarLicenseBack: is a part of answers.
type CarLicenseBack struct {
	ModelYear           string              `json:"model_year"`
	Type                string              `json:"type"`
	SubType             string              `json:"sub_type"`
	SubType2            string              `json:"sub_type_2"`
	Chasis              string              `json:"chasis"`
	Volume              string              `json:"volume"`
	Motor               string              `json:"motor"`
	Color               string              `json:"color"`
	Fuel                string              `json:"fuel"`
	Cylinder            string              `json:"cylinder"`
	Special1            string              `json:"special_1"`
	ExaminationDt       string              `json:"examination_dt"`
	Special2            string              `json:"special_2"`
	Special3            string              `json:"special_3"`
	Special4            string              `json:"special_4"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// Passport: is a part of answers.
type Passport struct {
	CountryCode         string              `json:"country_code"`
	DocType             string              `json:"doc_Type"`
	Gender              string              `json:"gender"`
	Name                string              `json:"name"`
	Nationality         string              `json:"nationality"`
	PassportNo          string              `json:"passport_no"`
	DateOfBirth         Date                `json:"Date_of_Birth"`
	DateOfExpiry        Date                `json:"Date_of_Expiry"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// DrivingLicense: is a part of answers.
type DrivingLicense struct {
	Address             string              `json:"address"`
	Job                 string              `json:"job"`
	LicenseType         string              `json:"licenseType"`
	NameArabic          string              `json:"nameArabic"`
	NameEnglish         string              `json:"nameEnglish"`
	NationalID          string              `json:"nationalID"`
	NationalityArabic   string              `json:"nationalityArabic"`
	NationalityEnglish  string              `json:"nationalityEnglish"`
	TrafficUnit1        string              `json:"trafficUnit1"`
	TrafficUnit2        string              `json:"trafficUnit2"`
	Special1            string              `json:"special1"`
	ExpiryDate          Date                `json:"expiryDate"`
	IssuenceDate        Date                `json:"issuenceDate"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// LicensePlate: is a part of answers.
type LicensePlate struct {
	Result              string              `json:"result"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// Multi: is a part of answers.
type Multi struct {
	Results             []MultiResult       `json:"results"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// MultiResult: is a part of answers.
type MultiResult struct {
	Data     DocumentData `json:"data"`
	Services Services     `json:"Services"`
}

// DocumentData: The model of the kind that Services.classification names.
type DocumentData = json.RawMessage

// General: is a part of answers.
type General struct {
	Lines               []Line              `json:"lines"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// Line: is a part of answers.
type Line struct {
	Text string `json:"text"`
}

// FaceMatch: is a part of answers.
type FaceMatch struct {
	IsMatched           bool                `json:"isMatched"`
	Similarity          float64             `json:"similarity"`
	Threshold           float64             `json:"threshold"`
	Reference           Reference           `json:"reference"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// PreviewToken: is a part of answers.
type PreviewToken struct {
	Url       string  `json:"url"`
	ExpiresIn float64 `json:"expires_in"`
}

// Transaction: is a part of answers.
type Transaction struct {
	TransactionID GUID                `json:"transaction_id"`
	Created       string              `json:"created"`
	Expires       string              `json:"expires"`
	FaceAttempts  int                 `json:"face_attempts"`
	Records       []TransactionRecord `json:"records"`
}

// TransactionRecord: is a part of answers.
type TransactionRecord struct {
	Endpoint            string              `json:"endpoint"`
	At                  string              `json:"at"`
	Key                 string              `json:"key"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
	Documents           []MultiResult       `json:"documents"`
	Match               RecordedMatch       `json:"match"`
	Liveness            RecordedLiveness    `json:"liveness"`
}

// RecordedMatch: null where the request compared no faces this way.
type RecordedMatch struct {
	IsMatched  bool      `json:"isMatched"`
	Similarity float64   `json:"similarity"`
	Threshold  float64   `json:"threshold"`
	Reasons    []Reason  `json:"reasons"`
	Reference  Reference `json:"reference"`
}

// RecordedLiveness: null where the request compared no faces this way.
type RecordedLiveness struct {
	IsLive        bool          `json:"isLive"`
	IsMatched     bool          `json:"isMatched"`
	Reasons       []Reason      `json:"reasons"`
	Similarity    float64       `json:"similarity"`
	LivenessScore LivenessScore `json:"liveness_score"`
	GapsMS        Gaps          `json:"gaps_ms"`
	Source        Source        `json:"source"`
	Reference     Reference     `json:"reference"`
}

// Erased: is a part of answers.
type Erased struct {
	TransactionID GUID `json:"transaction_id"`
	Erased        bool `json:"erased"`
}

// Event: The data of an event `answer`: what a request was answered, without what was read.
type Event struct {
	At            string      `json:"at"`
	TransactionID string      `json:"transaction_id"`
	RequestID     GUID        `json:"request_id"`
	Endpoint      string      `json:"endpoint"`
	Key           string      `json:"key"`
	ErrorCode     int         `json:"error_code"`
	Kinds         []string    `json:"kinds"`
	Codes         []FieldCode `json:"codes"`
	Fake          bool        `json:"fake"`
	IsMatched     *bool       `json:"is_matched"`
	IsLive        *bool       `json:"is_live"`
	Reasons       []Reason    `json:"reasons"`
}

// Reference: The identity document whose portrait the faces were compared with, and the request that read it.
type Reference struct {
	Kind      string `json:"kind"`
	RequestID GUID   `json:"request_id"`
}

// Source: Where the frames come from. camera: the appliance's own, or a recording that is played in its place for trying out, which the proof names.
type Source string

// Reason: Why a check was not passed, in this order.
type Reason string

// LivenessScore: 1 where isLive, else 0. A finer score would tell an attacker which of two pictures comes nearer; it stands in the evidence of keys with the scope admin.
type LivenessScore int

// Gaps: Milliseconds between the frames; null where they are not known.
type Gaps []float64

// Liveness: is a part of answers.
type Liveness struct {
	IsLive              bool                `json:"isLive"`
	IsMatched           bool                `json:"isMatched"`
	Reasons             []Reason            `json:"reasons"`
	Similarity          float64             `json:"similarity"`
	LivenessScore       LivenessScore       `json:"liveness_score"`
	GapsMS              Gaps                `json:"gaps_ms"`
	Source              Source              `json:"source"`
	Reference           Reference           `json:"reference"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// CameraLiveness: is a part of answers.
type CameraLiveness struct {
	IsLive              bool                `json:"isLive"`
	IsMatched           bool                `json:"isMatched"`
	Reasons             []Reason            `json:"reasons"`
	Similarity          float64             `json:"similarity"`
	LivenessScore       LivenessScore       `json:"liveness_score"`
	GapsMS              Gaps                `json:"gaps_ms"`
	Source              Source              `json:"source"`
	Reference           Reference           `json:"reference"`
	Proof               Proof               `json:"proof"`
	Frames              []string            `json:"frames,omitempty"`
	TransactionID       GUID                `json:"transaction_id"`
	ClientTransactionID ClientTransactionID `json:"client_transaction_id"`
	RequestID           GUID                `json:"request_id"`
}

// Proof: The appliance's signed statement about this check; `bawab verify` checks it.
type Proof struct {
	Statement string `json:"statement"`
	Signature string `json:"signature"`
}

// FaceMatchServices: null unless the evidence is asked for.
type FaceMatchServices struct {
	Evidence FaceMatchEvidence `json:"evidence"`
}

// FaceMatchEvidence: is a part of answers.
type FaceMatchEvidence struct {
	Face    FaceQuality `json:"face"`
	Reasons []string    `json:"reasons"`
}

// FaceQuality: How well the picture shows the face; angles in degrees, the distance between the eyes in pixels, the rest from 0 to 1.
type FaceQuality struct {
	Score       float64 `json:"score"`
	EyeDistance float64 `json:"eye_distance"`
	Yaw         float64 `json:"yaw"`
	Pitch       float64 `json:"pitch"`
	Roll        float64 `json:"roll"`
	Sharpness   float64 `json:"sharpness"`
	Light       float64 `json:"light"`
	Contrast    float64 `json:"contrast"`
	Covered     float64 `json:"covered"`
}

// LivenessServices: null unless the evidence is asked for.
type LivenessServices struct {
	Evidence LivenessEvidence `json:"evidence"`
}

// LivenessEvidence: is a part of answers.
type LivenessEvidence struct {
	Threshold float64  `json:"threshold"`
	Score     *float64 `json:"score"`
	Cues      []Cue    `json:"cues"`
}
