// What answers hold, generated from the API's description: `go test ./appliance/client -write`

/** RFC 4122 text form; answered in lower case, accepted in any case */
export type GUID = string;

/** The id of a transaction that holds an identity document; the nil GUID counts as missing */
export type KnownTransaction = string;

/** null and the nil GUID start a new transaction, and so does "", which older clients send; an unknown GUID starts the transaction of that id */
export type NewOrKnownTransaction = string | null;

/** YYYY-MM-DD; null when it could not be read */
export type PrintedDate = string | null;

/** A picture in base64, at most 8 MiB and 25 million pixels, 64 to 16,384 pixels a side, for ocr/general and ocr/license_plate from 16; not empty and not blank */
export type Picture = string;

/** Any string up to 4 KiB of UTF-8, returned unchanged */
export type ClientTransactionID = string | null;

/** true adds Services.evidence */
export type AskEvidence = boolean | null;

/** The page of a TIFF or PDF to read; null is the first */
export type Page = number | null;

export type Language = "en" | "ar";

export type Subject = "face" | "document";

/** A path below /ocr that reads a document */
export type DocumentEndpoint = "id/front" | "id/back" | "car/license/front" | "car/license/back" | "passport" | "driving_license" | "license_plate" | "multi" | "general";

/** What went wrong with a whole answer. 400 to 503 come with the same HTTP status, 4104 with 429, all others with 400. x-texts says what each means in English and Arabic. */
export type ErrorCode = 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 501 | 503 | 3011 | 4101 | 4102 | 4103 | 4104 | 4105 | 4206 | 4207 | 4208 | 4209 | 5001 | 5002 | 5003 | 5004 | 5005;

/** What is wrong with a field. x-texts has the sentences in English and Arabic. */
export type FieldCode = 3001 | 3002 | 3003 | 3004 | 3005 | 3006 | 3007 | 3008 | 3009 | 3010 | 3013 | 3014 | 3101 | 3102 | 3103 | 3301 | 3302 | 3303 | 3304 | 3305 | 3306 | 3307 | 3308 | 3309;

export interface FieldError {
  code: FieldCode;
  message: string;
}

/** What is wrong with one field */
export interface ValidationError {
  field: string;
  value: string;
  errors: Array<FieldError>;
}

export interface Validations {
  validation_errors: Array<ValidationError>;
}

export interface Spoofing {
  fake: boolean;
}

export interface Classification {
  doc_type: DocType;
}

export interface Services {
  Validations: Validations;
  spoofing: Spoofing;
  classification: Classification;
  evidence?: Evidence;
}

/** What concerns a text, which is no document and has no spoofing and no doc_type */
export interface ListServices {
  Validations: Validations;
  evidence?: ListEvidence;
}

/** What concerns the picture as a whole. evidence is there when it was asked for, and also unasked when the picture shows documents of a known kind beside those that were read, lest the answer look complete. */
export interface MultiServices {
  Validations: Validations;
  evidence?: MultiEvidence;
}

export interface MultiEvidence {
  others: Array<Other>;
}

/** A further document in the picture, which was not read; the largest comes first */
export interface Other {
  doc_type: DocType;
  quad: Quad;
}

/** Four corners [x, y] in pixels of the caller's picture, after EXIF orientation: top left, top right, bottom right, bottom left of the upright content. null when the place is not known. */
export type Quad = Array<Array<number>> | null;

export type DocType = "national_id_front" | "national_id_back" | "car_license_front" | "car_license_back" | "passport" | "driving_license" | "license_plate" | "unknown";

/** How well the picture shows the document */
export interface Capture {
  sharpness: number;
  glare: number;
  cut_off: boolean;
  covered: boolean;
  too_small: boolean;
  blurred: boolean;
  glared: boolean;
  advice: string;
}

export interface Evidence {
  document: DocumentPlace;
  capture: Capture;
  others: Array<Other>;
  fields: Record<string, FieldEvidence>;
  mrz?: Array<string>;
  cues: Array<Cue>;
}

export interface DocumentPlace {
  quad: Quad;
}

export interface FieldEvidence {
  quad: Quad;
  confidence: number;
  characters: Array<number>;
  raw: string;
  derived_from: Array<string>;
  repairs: Array<string>;
  checks: Array<FieldCheck>;
}

export interface FieldCheck {
  name: string;
  passed: boolean;
}

/** A named sign, 0 (none) to 1; one that reaches its threshold counts, and threshold 0 is one that is only reported */
export interface Cue {
  name: string;
  score: number;
  threshold: number;
  not_judged?: "small" | "blurred" | "camera" | "weak" | "pattern" | "plain";
}

/** In the order of data.lines */
export interface ListEvidence {
  lines: Array<LineEvidence>;
}

export interface LineEvidence {
  quad: Quad;
  confidence: number;
}

export interface NationalIDFront {
  name: string;
  address: string;
  first_name: string;
  last_names: string;
  first_name_english: string;
  last_names_english: string;
  govern: string;
  idKey: string;
  address_1: string;
  address_2: string;
  idNumber: string;
  gender: string;
  dateOfBirth: PrintedDate;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface NationalIDBack {
  job: string;
  jobTitle: string;
  religion: string;
  maritalStatus: string;
  husbandName: string;
  idNumber: string;
  gender: string;
  releaseDate: PrintedDate;
  idExpiry: PrintedDate;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface CarLicenseFront {
  traffic_unit: string;
  license_number: string;
  license_type: string;
  name: string;
  name_2: string;
  nationality: string;
  address: string;
  front_special: string;
  expiry: PrintedDate;
  issuance: PrintedDate;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface CarLicenseBack {
  model_year: string;
  type: string;
  sub_type: string;
  sub_type_2: string;
  chasis: string;
  volume: string;
  motor: string;
  color: string;
  fuel: string;
  cylinder: string;
  special_1: string;
  examination_dt: string;
  special_2: string;
  special_3: string;
  special_4: string;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface Passport {
  country_code: string;
  doc_Type: string;
  gender: string;
  name: string;
  nationality: string;
  passport_no: string;
  Date_of_Birth: PrintedDate;
  Date_of_Expiry: PrintedDate;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface DrivingLicense {
  address: string;
  job: string;
  licenseType: string;
  nameArabic: string;
  nameEnglish: string;
  nationalID: string;
  nationalityArabic: string;
  nationalityEnglish: string;
  trafficUnit1: string;
  trafficUnit2: string;
  special1: string;
  expiryDate: PrintedDate;
  issuenceDate: PrintedDate;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface LicensePlate {
  result: string;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface Multi {
  results: Array<MultiResult>;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface MultiResult {
  data: DocumentData;
  Services: Services;
}

/** The model of the kind that Services.classification names */
export type DocumentData = NationalIDFront | NationalIDBack | CarLicenseFront | CarLicenseBack | Passport | DrivingLicense | LicensePlate;

/** A kind of document that the model pack in use brings: its name, what such a document prints as its name ("" for none), and the fields of its data */
export interface KindModel {
  kind: string;
  title: string;
  fields: Array<KindField>;
}

/** A field of a kind; a string that was not read is "", a date is null */
export interface KindField {
  name: string;
  type: "string" | "date";
}

export interface KindList {
  kinds: Array<KindModel>;
}

/** The fields of the kind by their names, a string that was not read is "", a date is null, and the three ids */
export type KindDocument = Record<string, string | null>;

/** The kind, or unknown where nothing on the document proves it to be of the kind */
export interface KindClassification {
  doc_type: string;
}

export interface KindServices {
  Validations: Validations;
  spoofing: Spoofing;
  classification: KindClassification;
  evidence?: Evidence;
}

export interface General {
  lines: Array<Line>;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
}

export interface Line {
  text: string;
}

export interface FaceMatch {
  isMatched: boolean;
  similarity: number;
  threshold: number;
  reference: Reference;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface PreviewToken {
  url: string;
  expires_in: number;
}

export interface Transaction {
  transaction_id: GUID;
  created: string;
  expires: string;
  face_attempts: number;
  records: Array<TransactionRecord>;
}

export interface TransactionRecord {
  endpoint: string;
  at: string;
  key: string;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  documents: Array<RecordedDocument>;
  match: RecordedMatch;
  liveness: RecordedLiveness;
}

/** A document as it was answered. data is the model of the kind that Services.classification names, which a model pack may have brought: so its members are told here by their types alone */
export interface RecordedDocument {
  data: KindDocument;
  Services: KindServices;
}

/** null where the request compared no faces this way */
export interface RecordedMatch {
  isMatched: boolean;
  similarity: number;
  threshold: number;
  reasons: Array<Reason>;
  reference: Reference;
}

/** null where the request compared no faces this way */
export interface RecordedLiveness {
  isLive: boolean;
  isMatched: boolean;
  reasons: Array<Reason>;
  similarity: number;
  liveness_score: LivenessScore;
  gaps_ms: Gaps;
  source: Source;
  reference: Reference;
}

export interface Erased {
  transaction_id: GUID;
  erased: boolean;
}

/** true where the pictures are kept, sealed, for a person to review; otherwise it is not there */
export type Reviewed = boolean;

/** empty: documents on which the field was not read. doubted: those on which it carries a code of doubt. code: documents that carry the code, or any code of doubt. refused: pictures that were refused with the code. reason: face checks that did not pass for the reason */
export type DriftMeasure = "empty" | "doubted" | "code" | "refused" | "reason";

export interface DriftDay {
  date: string;
  documents: number;
  hits: number;
}

/** null where the share is what it was */
export interface DriftAlarm {
  since: string;
  documents: number;
  hits: number;
  ratio: number;
  message: string;
  cause: Array<string>;
}

export interface DriftSeries {
  id: string;
  kind: string;
  measure: DriftMeasure;
  of: string;
  documents: number;
  hits: number;
  learning: boolean;
  alarm: DriftAlarm;
  days: Array<DriftDay>;
}

export interface Drift {
  kinds: Array<string>;
  alarms: Array<DriftSeries>;
  series: Array<DriftSeries>;
}

export interface DriftAcknowledged {
  series: string;
  learning: boolean;
  acknowledged: Array<string>;
}

export interface UnknownCardGroup {
  id: GUID;
  cards: number;
  different: number;
  aspect: number;
  words: Array<string>;
  reviews: Array<GUID>;
}

export interface UnknownCards {
  documents: number;
  waiting: number;
  groups: Array<UnknownCardGroup>;
}

export interface CardDraft {
  kind: string;
  different: number;
  description: string;
  labels: string;
}

/** national_id_front, national_id_back, car_license_front, car_license_back, passport, driving_license, license_plate, unknown, the name of a kind that a model pack brings, face_match or liveness */
export type ReviewKind = string;

/** open: nobody has decided. decided: one person has, or more than half of those who have agree. disputed: they do not */
export type ReviewState = "open" | "decided" | "disputed";

/** confirmed: all is right. corrected: values, unreadable, same_person or living say what is. unreadable: nobody can read this picture. other_document: it does not show what it was read as */
export type ReviewVerdict = "confirmed" | "corrected" | "unreadable" | "other_document";

export interface ReviewHead {
  id: GUID;
  kind: ReviewKind;
  asked: string;
  at: string;
  expires: string;
  flagged: boolean;
  state: ReviewState;
  people: number;
  mine: boolean;
  pictures: number;
  transaction_id: GUID;
  request_id: GUID;
}

export interface ReviewList {
  open: number;
  decided: number;
  disputed: number;
  reviews: Array<ReviewHead>;
}

export interface ReviewField {
  name: string;
  type: "text" | "date";
  value: string;
  confidence: number;
  codes: Array<FieldError>;
  derived_from: Array<string>;
  quad: Quad;
}

export interface ReviewDecision {
  by: string;
  at: string;
  verdict: ReviewVerdict;
  values: ReviewValues;
  unreadable: Array<string>;
  same_person: boolean | null;
  living: boolean | null;
}

/** What is printed, by field; "" for a field that is blank */
export type ReviewValues = Record<string, string>;

export interface Review {
  id: GUID;
  kind: ReviewKind;
  asked: string;
  at: string;
  expires: string;
  flagged: boolean;
  state: ReviewState;
  people: number;
  mine: boolean;
  pictures: number;
  transaction_id: GUID;
  request_id: GUID;
  fields: Array<ReviewField>;
  codes: Array<FieldError>;
  match: ReviewedMatch;
  liveness: RecordedLiveness;
  decisions: Array<ReviewDecision>;
  disputed: Array<string>;
}

/** null where no face match was made */
export interface ReviewedMatch {
  isMatched: boolean;
  similarity: number;
  threshold: number;
  reference: Reference;
}

export interface ReviewErased {
  id: GUID;
  erased: boolean;
}

/** The data of an event `answer`: what a request was answered, without what was read */
export interface Event {
  at: string;
  transaction_id: string;
  request_id: GUID;
  endpoint: string;
  key: string;
  error_code: number;
  kinds: Array<string>;
  codes: Array<FieldCode>;
  fake: boolean;
  is_matched: boolean | null;
  is_live: boolean | null;
  reasons: Array<Reason>;
}

/** The identity document whose portrait the faces were compared with, and the request that read it */
export interface Reference {
  kind: "national_id_front" | "passport" | "driving_license";
  request_id: GUID;
}

/** Where the frames come from. camera: the appliance's own, or a recording that is played in its place for trying out, which the proof names. */
export type Source = "upload" | "camera";

/** Why a check was not passed, in this order */
export type Reason = "identical_images" | "different_persons" | "unrealistic_sequence" | "presentation_attack" | "injected_media" | "document_portrait" | "gap_exceeded" | "no_face" | "multiple_faces" | "low_quality";

/** 1 where isLive, else 0. A finer score would tell an attacker which of two pictures comes nearer; it stands in the evidence of keys with the scope admin. */
export type LivenessScore = 0 | 1;

/** Milliseconds between the frames; null where they are not known */
export type Gaps = Array<number> | null;

export interface Liveness {
  isLive: boolean;
  isMatched: boolean;
  reasons: Array<Reason>;
  similarity: number;
  liveness_score: LivenessScore;
  gaps_ms: Gaps;
  source: Source;
  reference: Reference;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

export interface CameraLiveness {
  isLive: boolean;
  isMatched: boolean;
  reasons: Array<Reason>;
  similarity: number;
  liveness_score: LivenessScore;
  gaps_ms: Gaps;
  source: Source;
  reference: Reference;
  proof: Proof;
  frames?: Array<string>;
  transaction_id: GUID;
  client_transaction_id: ClientTransactionID;
  request_id: GUID;
  reviewed?: Reviewed;
}

/** The appliance's signed statement about this check; `bawab verify` checks it */
export interface Proof {
  statement: string;
  signature: string;
}

/** null unless the evidence is asked for */
export interface FaceMatchServices {
  evidence: FaceMatchEvidence;
}

export interface FaceMatchEvidence {
  face: FaceQuality;
  reasons: Array<"document_portrait">;
}

/** How well the picture shows the face; angles in degrees, the distance between the eyes in pixels, the rest from 0 to 1 */
export interface FaceQuality {
  score: number;
  eye_distance: number;
  yaw: number;
  pitch: number;
  roll: number;
  sharpness: number;
  light: number;
  contrast: number;
  covered: number;
}

/** null unless the evidence is asked for */
export interface LivenessServices {
  evidence: LivenessEvidence;
}

export interface LivenessEvidence {
  threshold: number;
  score: number | null;
  cues: Array<Cue> | null;
}
