import type * as types from "./types.js";
export type * from "./types.js";

/** A picture: a Blob or File, a canvas (sent as JPEG), bytes, or base64 text, also as a data: URL. */
export type Image = Blob | HTMLCanvasElement | OffscreenCanvas | ArrayBuffer | ArrayBufferView | string;

export interface Answer<D, S> {
  data: D;
  services: S;
  requestId: string;
}

export interface Options {
  transactionId?: string;
  clientTransactionId?: string;
  evidence?: boolean;
  /** The page of a TIFF or PDF, from 1; face checks and the camera take none. */
  page?: number;
  /** Ends the request, also while it waits to be tried again. */
  signal?: AbortSignal;
}

export interface ClientOptions {
  /** The language of messages. */
  language?: "en" | "ar";
  /** How often an answer with Retry-After is tried again (3), where the wait is at most longestWait seconds (30). */
  retries?: number;
  longestWait?: number;
  /** Seconds for one try (60). */
  timeout?: number;
  /** Another fetch, as for Node with a certificate of one's own. */
  fetch?: typeof globalThis.fetch;
}

export declare class BawabError extends Error {
  constructor(code: number, message: string, more?: { status?: number; requestId?: string; retryAfter?: number });
  /** The error_code; 0 where there was no answer of bawab. */
  readonly code: number;
  readonly status: number;
  readonly requestId: string;
  /** Seconds; undefined where waiting does not help. */
  readonly retryAfter: number | undefined;
}

export declare const Code: Readonly<
  Record<
    | "NoAnswer" | "BadRequest" | "Unauthorized" | "Forbidden" | "NotFound" | "MethodNotAllowed" | "TooLarge" | "MediaType" | "TooMany"
    | "Internal" | "NotBuilt" | "Unavailable" | "NoDocument" | "TransactionUnknown" | "NoIdentityDocument" | "TransactionExpired"
    | "TooManyAttempts" | "TransactionFull" | "ManyFaces" | "NoFace" | "NoPortrait" | "FaceUnclear" | "PictureKind" | "PictureBytes"
    | "PicturePixels" | "PictureBroken" | "PictureTooThin",
    number
  >
>;

type Face = Omit<Options, "transactionId">;

export declare class Client {
  constructor(url: string, key: string, options?: ClientOptions);
  idFront(image: Image, options?: Options): Promise<Answer<types.NationalIDFront, types.Services>>;
  idBack(image: Image, options?: Options): Promise<Answer<types.NationalIDBack, types.Services>>;
  carLicenseFront(image: Image, options?: Options): Promise<Answer<types.CarLicenseFront, types.Services>>;
  carLicenseBack(image: Image, options?: Options): Promise<Answer<types.CarLicenseBack, types.Services>>;
  passport(image: Image, options?: Options): Promise<Answer<types.Passport, types.Services>>;
  drivingLicense(image: Image, options?: Options): Promise<Answer<types.DrivingLicense, types.Services>>;
  licensePlate(image: Image, options?: Options): Promise<Answer<types.LicensePlate, types.Services>>;
  /** Reads a document of a kind that the model pack of the appliance brings, such as student_card. */
  kind(kind: string, image: Image, options?: Options): Promise<Answer<types.KindDocument, types.KindServices>>;
  multi(image: Image, options?: Options): Promise<Answer<types.Multi, types.MultiServices>>;
  general(image: Image, options?: Options): Promise<Answer<types.General, types.ListServices>>;
  matchFace(transactionId: string, image: Image, options?: Face): Promise<Answer<types.FaceMatch, types.FaceMatchServices | null>>;
  liveness(transactionId: string, faces: [Image, Image, Image] | Blob[], options?: Face): Promise<Answer<types.Liveness, types.LivenessServices | null>>;
  cameraLiveness(
    transactionId: string,
    options?: Face & { frames?: boolean },
  ): Promise<Answer<types.CameraLiveness, types.LivenessServices | null>>;
  /** The data is the model of the endpoint. */
  cameraDocument<D = types.DocumentData | types.Multi | types.General>(
    endpoint: types.DocumentEndpoint,
    options?: Options,
  ): Promise<Answer<D, types.Services>>;
}

/** Opens the visitor's camera in a video element; the function that is returned closes it. Needs https or localhost. */
export declare function openCamera(video: HTMLVideoElement, wanted?: MediaTrackConstraints): Promise<() => void>;

/** Takes three different frames of a playing video, gap (250) milliseconds apart and never more than 500, as JPEG. */
export declare function captureFrames(
  video: HTMLVideoElement,
  options?: { gap?: number; tries?: number; signal?: AbortSignal },
): Promise<Blob[]>;
