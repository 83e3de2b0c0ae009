"""What answers hold, generated from the API's description: go test ./appliance/client -write"""

# ruff: noqa: E501

from typing import Dict, List, Literal, Optional, TypedDict, Union

GUID = str
KnownTransaction = str
NewOrKnownTransaction = Optional[str]
Date = Optional[str]
Picture = str
ClientTransactionID = Optional[str]
AskEvidence = Optional[bool]
Page = Optional[int]
Language = Literal["en", "ar"]
Subject = Literal["face", "document"]
DocumentEndpoint = Literal["id/front", "id/back", "car/license/front", "car/license/back", "passport", "driving_license", "license_plate", "multi", "general"]
ErrorCode = Literal[400, 401, 403, 404, 405, 413, 415, 429, 500, 501, 503, 3011, 4101, 4102, 4103, 4104, 4105, 4206, 4207, 4208, 4209, 5001, 5002, 5003, 5004, 5005]
FieldCode = Literal[3001, 3002, 3003, 3004, 3005, 3006, 3007, 3008, 3009, 3010, 3013, 3014, 3101, 3102, 3103, 3301, 3302, 3303, 3304, 3305, 3306, 3307, 3308, 3309]


class FieldError(TypedDict):
    code: FieldCode
    message: str


class ValidationError(TypedDict):
    """What is wrong with one field"""

    field: str
    value: str
    errors: List[FieldError]


class Validations(TypedDict):
    validation_errors: List[ValidationError]


class Spoofing(TypedDict):
    fake: bool
DocType = Literal["national_id_front", "national_id_back", "car_license_front", "car_license_back", "passport", "driving_license", "license_plate", "unknown"]


class Classification(TypedDict):
    doc_type: DocType
Quad = Optional[List[List[float]]]


class DocumentPlace(TypedDict):
    quad: Quad


class Capture(TypedDict):
    """How well the picture shows the document"""

    sharpness: float
    glare: float
    cut_off: bool
    covered: bool
    too_small: bool
    blurred: bool
    glared: bool
    advice: str


class Other(TypedDict):
    """A further document in the picture, which was not read; the largest comes first"""

    doc_type: DocType
    quad: Quad


class FieldCheck(TypedDict):
    name: str
    passed: bool


class FieldEvidence(TypedDict):
    quad: Quad
    confidence: float
    characters: List[float]
    raw: str
    derived_from: List[str]
    repairs: List[str]
    checks: List[FieldCheck]


class _Cue(TypedDict, total=False):
    not_judged: Literal["small", "blurred", "camera", "weak", "pattern", "plain"]


class Cue(_Cue):
    """A named sign, 0 (none) to 1; one that reaches its threshold counts, and threshold 0 is one that is only reported"""

    name: str
    score: float
    threshold: float


class _Evidence(TypedDict, total=False):
    mrz: List[str]


class Evidence(_Evidence):
    document: DocumentPlace
    capture: Capture
    others: List[Other]
    fields: Dict[str, FieldEvidence]
    cues: List[Cue]


class _Services(TypedDict, total=False):
    evidence: Evidence


class Services(_Services):
    Validations: Validations
    spoofing: Spoofing
    classification: Classification


class LineEvidence(TypedDict):
    quad: Quad
    confidence: float


class ListEvidence(TypedDict):
    """In the order of data.lines"""

    lines: List[LineEvidence]


class _ListServices(TypedDict, total=False):
    evidence: ListEvidence


class ListServices(_ListServices):
    """What concerns a text, which is no document and has no spoofing and no doc_type"""

    Validations: Validations


class MultiEvidence(TypedDict):
    others: List[Other]


class _MultiServices(TypedDict, total=False):
    evidence: MultiEvidence


class MultiServices(_MultiServices):
    """What concerns the picture as a whole. evidence is there when it was asked for, and also unasked when the picture shows documents of a known kind beside those that were read, lest the answer look complete."""

    Validations: Validations
Reviewed = bool


class _NationalIDFront(TypedDict, total=False):
    reviewed: Reviewed


class NationalIDFront(_NationalIDFront):
    name: str
    address: str
    first_name: str
    last_names: str
    first_name_english: str
    last_names_english: str
    govern: str
    idKey: str
    address_1: str
    address_2: str
    idNumber: str
    gender: str
    dateOfBirth: Date
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class _NationalIDBack(TypedDict, total=False):
    reviewed: Reviewed


class NationalIDBack(_NationalIDBack):
    job: str
    jobTitle: str
    religion: str
    maritalStatus: str
    husbandName: str
    idNumber: str
    gender: str
    releaseDate: Date
    idExpiry: Date
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class _CarLicenseFront(TypedDict, total=False):
    reviewed: Reviewed


class CarLicenseFront(_CarLicenseFront):
    traffic_unit: str
    license_number: str
    license_type: str
    name: str
    name_2: str
    nationality: str
    address: str
    front_special: str
    expiry: Date
    issuance: Date
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class _CarLicenseBack(TypedDict, total=False):
    reviewed: Reviewed


class CarLicenseBack(_CarLicenseBack):
    model_year: str
    type: str
    sub_type: str
    sub_type_2: str
    chasis: str
    volume: str
    motor: str
    color: str
    fuel: str
    cylinder: str
    special_1: str
    examination_dt: str
    special_2: str
    special_3: str
    special_4: str
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class _Passport(TypedDict, total=False):
    reviewed: Reviewed


class Passport(_Passport):
    country_code: str
    doc_Type: str
    gender: str
    name: str
    nationality: str
    passport_no: str
    Date_of_Birth: Date
    Date_of_Expiry: Date
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class _DrivingLicense(TypedDict, total=False):
    reviewed: Reviewed


class DrivingLicense(_DrivingLicense):
    address: str
    job: str
    licenseType: str
    nameArabic: str
    nameEnglish: str
    nationalID: str
    nationalityArabic: str
    nationalityEnglish: str
    trafficUnit1: str
    trafficUnit2: str
    special1: str
    expiryDate: Date
    issuenceDate: Date
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class _LicensePlate(TypedDict, total=False):
    reviewed: Reviewed


class LicensePlate(_LicensePlate):
    result: str
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID
DocumentData = Union[NationalIDFront, NationalIDBack, CarLicenseFront, CarLicenseBack, Passport, DrivingLicense, LicensePlate]


class MultiResult(TypedDict):
    data: DocumentData
    Services: Services


class _Multi(TypedDict, total=False):
    reviewed: Reviewed


class Multi(_Multi):
    results: List[MultiResult]
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class KindField(TypedDict):
    """A field of a kind; a string that was not read is "", a date is null"""

    name: str
    type: Literal["string", "date"]


class KindModel(TypedDict):
    """A kind of document that the model pack in use brings: its name, what such a document prints as its name ("" for none), and the fields of its data"""

    kind: str
    title: str
    fields: List[KindField]


class KindList(TypedDict):
    kinds: List[KindModel]
KindDocument = Dict[str, Optional[str]]


class KindClassification(TypedDict):
    """The kind, or unknown where nothing on the document proves it to be of the kind"""

    doc_type: str


class _KindServices(TypedDict, total=False):
    evidence: Evidence


class KindServices(_KindServices):
    Validations: Validations
    spoofing: Spoofing
    classification: KindClassification


class Line(TypedDict):
    text: str


class General(TypedDict):
    lines: List[Line]
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class Reference(TypedDict):
    """The identity document whose portrait the faces were compared with, and the request that read it"""

    kind: Literal["national_id_front", "passport", "driving_license"]
    request_id: GUID


class _FaceMatch(TypedDict, total=False):
    reviewed: Reviewed


class FaceMatch(_FaceMatch):
    isMatched: bool
    similarity: float
    threshold: float
    reference: Reference
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class PreviewToken(TypedDict):
    url: str
    expires_in: float


class RecordedDocument(TypedDict):
    """A document as it was answered. data is the model of the kind that Services.classification names, which a model pack may have brought: so its members are told here by their types alone"""

    data: KindDocument
    Services: KindServices
Reason = Literal["identical_images", "different_persons", "unrealistic_sequence", "presentation_attack", "injected_media", "document_portrait", "gap_exceeded", "no_face", "multiple_faces", "low_quality"]


class RecordedMatch(TypedDict):
    """null where the request compared no faces this way"""

    isMatched: bool
    similarity: float
    threshold: float
    reasons: List[Reason]
    reference: Reference
LivenessScore = Literal[0, 1]
Gaps = Optional[List[float]]
Source = Literal["upload", "camera"]


class RecordedLiveness(TypedDict):
    """null where the request compared no faces this way"""

    isLive: bool
    isMatched: bool
    reasons: List[Reason]
    similarity: float
    liveness_score: LivenessScore
    gaps_ms: Gaps
    source: Source
    reference: Reference


class TransactionRecord(TypedDict):
    endpoint: str
    at: str
    key: str
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID
    documents: List[RecordedDocument]
    match: RecordedMatch
    liveness: RecordedLiveness


class Transaction(TypedDict):
    transaction_id: GUID
    created: str
    expires: str
    face_attempts: int
    records: List[TransactionRecord]


class Erased(TypedDict):
    transaction_id: GUID
    erased: bool
DriftMeasure = Literal["empty", "doubted", "code", "refused", "reason"]


class DriftDay(TypedDict):
    date: str
    documents: int
    hits: int


class DriftAlarm(TypedDict):
    """null where the share is what it was"""

    since: str
    documents: int
    hits: int
    ratio: float
    message: str
    cause: List[str]


class DriftSeries(TypedDict):
    id: str
    kind: str
    measure: DriftMeasure
    of: str
    documents: int
    hits: int
    learning: bool
    alarm: DriftAlarm
    days: List[DriftDay]


class Drift(TypedDict):
    kinds: List[str]
    alarms: List[DriftSeries]
    series: List[DriftSeries]


class DriftAcknowledged(TypedDict):
    series: str
    learning: bool
    acknowledged: List[str]


class UnknownCardGroup(TypedDict):
    id: GUID
    cards: int
    different: int
    aspect: float
    words: List[str]
    reviews: List[GUID]


class UnknownCards(TypedDict):
    documents: int
    waiting: int
    groups: List[UnknownCardGroup]


class CardDraft(TypedDict):
    kind: str
    different: int
    description: str
    labels: str
ReviewKind = str
ReviewState = Literal["open", "decided", "disputed"]
ReviewVerdict = Literal["confirmed", "corrected", "unreadable", "other_document"]


class ReviewHead(TypedDict):
    id: GUID
    kind: ReviewKind
    asked: str
    at: str
    expires: str
    flagged: bool
    state: ReviewState
    people: int
    mine: bool
    pictures: int
    transaction_id: GUID
    request_id: GUID


class ReviewList(TypedDict):
    open: int
    decided: int
    disputed: int
    reviews: List[ReviewHead]


class ReviewField(TypedDict):
    name: str
    type: Literal["text", "date"]
    value: str
    confidence: float
    codes: List[FieldError]
    derived_from: List[str]
    quad: Quad
ReviewValues = Dict[str, str]


class ReviewDecision(TypedDict):
    by: str
    at: str
    verdict: ReviewVerdict
    values: ReviewValues
    unreadable: List[str]
    same_person: Optional[bool]
    living: Optional[bool]


class ReviewedMatch(TypedDict):
    """null where no face match was made"""

    isMatched: bool
    similarity: float
    threshold: float
    reference: Reference


class Review(TypedDict):
    id: GUID
    kind: ReviewKind
    asked: str
    at: str
    expires: str
    flagged: bool
    state: ReviewState
    people: int
    mine: bool
    pictures: int
    transaction_id: GUID
    request_id: GUID
    fields: List[ReviewField]
    codes: List[FieldError]
    match: ReviewedMatch
    liveness: RecordedLiveness
    decisions: List[ReviewDecision]
    disputed: List[str]


class ReviewErased(TypedDict):
    id: GUID
    erased: bool


class Event(TypedDict):
    """The data of an event `answer`: what a request was answered, without what was read"""

    at: str
    transaction_id: str
    request_id: GUID
    endpoint: str
    key: str
    error_code: int
    kinds: List[str]
    codes: List[FieldCode]
    fake: bool
    is_matched: Optional[bool]
    is_live: Optional[bool]
    reasons: List[Reason]


class _Liveness(TypedDict, total=False):
    reviewed: Reviewed


class Liveness(_Liveness):
    isLive: bool
    isMatched: bool
    reasons: List[Reason]
    similarity: float
    liveness_score: LivenessScore
    gaps_ms: Gaps
    source: Source
    reference: Reference
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class Proof(TypedDict):
    """The appliance's signed statement about this check; `bawab verify` checks it"""

    statement: str
    signature: str


class _CameraLiveness(TypedDict, total=False):
    frames: List[str]
    reviewed: Reviewed


class CameraLiveness(_CameraLiveness):
    isLive: bool
    isMatched: bool
    reasons: List[Reason]
    similarity: float
    liveness_score: LivenessScore
    gaps_ms: Gaps
    source: Source
    reference: Reference
    proof: Proof
    transaction_id: GUID
    client_transaction_id: ClientTransactionID
    request_id: GUID


class FaceQuality(TypedDict):
    """How well the picture shows the face; angles in degrees, the distance between the eyes in pixels, the rest from 0 to 1"""

    score: float
    eye_distance: float
    yaw: float
    pitch: float
    roll: float
    sharpness: float
    light: float
    contrast: float
    covered: float


class FaceMatchEvidence(TypedDict):
    face: FaceQuality
    reasons: List[Literal["document_portrait"]]


class FaceMatchServices(TypedDict):
    """null unless the evidence is asked for"""

    evidence: FaceMatchEvidence


class LivenessEvidence(TypedDict):
    threshold: float
    score: Optional[float]
    cues: Optional[List[Cue]]


class LivenessServices(TypedDict):
    """null unless the evidence is asked for"""

    evidence: LivenessEvidence
