// @ts-check
// Client of the bawab identity appliance for browsers and Node. It is JavaScript with its types beside it, so it runs as it is.

/** An answer that failed: code is the error_code, message one sentence in the language that was asked for. */
export class BawabError extends Error {
  /** @param {number} code @param {string} message @param {{status?: number, requestId?: string, retryAfter?: number}} [more] */
  constructor(code, message, more = {}) {
    super(message);
    this.name = "BawabError";
    this.code = code;
    this.status = more.status ?? 0;
    this.requestId = more.requestId ?? "";
    this.retryAfter = more.retryAfter;
  }
}

/** The codes of failures by name: `if (e instanceof BawabError && e.code === Code.NoDocument)`. */
export const Code = Object.freeze({
  NoAnswer: 0, BadRequest: 400, Unauthorized: 401, Forbidden: 403, NotFound: 404, MethodNotAllowed: 405, TooLarge: 413, MediaType: 415,
  TooMany: 429, Internal: 500, NotBuilt: 501, Unavailable: 503, NoDocument: 3011, TransactionUnknown: 4101, NoIdentityDocument: 4102,
  TransactionExpired: 4103, TooManyAttempts: 4104, TransactionFull: 4105, ManyFaces: 4206, NoFace: 4207, NoPortrait: 4208,
  FaceUnclear: 4209, PictureKind: 5001, PictureBytes: 5002, PicturePixels: 5003, PictureBroken: 5004, PictureTooThin: 5005,
});

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** The text of a picture: strings are base64 or data: URLs already. @param {any} image @returns {Promise<string>} */
async function encoded(image) {
  if (typeof image === "string") return image;
  if (typeof image.convertToBlob === "function") image = await image.convertToBlob({ type: "image/jpeg", quality: 0.92 });
  else if (typeof image.toBlob === "function") {
    const canvas = image;
    image = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
    if (image === null) throw new TypeError("the canvas is empty, or holds a picture of another origin");
  }
  if (image instanceof Blob) image = await image.arrayBuffer();
  if (image instanceof ArrayBuffer) image = new Uint8Array(image);
  if (!ArrayBuffer.isView(image)) throw new TypeError("a picture is a Blob, File, canvas, ArrayBuffer, Uint8Array or base64 text");
  return base64(new Uint8Array(image.buffer, image.byteOffset, image.byteLength));
}

/** Waits, or rejects when the signal ends it. @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} */
function wait(ms, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

/** @param {Response} answer */
async function understood(answer) {
  const requestId = answer.headers.get("X-Request-Id") ?? "";
  let envelope;
  try {
    envelope = await answer.json();
  } catch (e) {
    if (/** @type {any} */ (e)?.name === "AbortError" || /** @type {any} */ (e)?.name === "TimeoutError") throw e;
  }
  if (typeof envelope?.error_code !== "number") {
    throw new BawabError(Code.NoAnswer, `HTTP ${answer.status} is no answer of bawab`, { status: answer.status });
  }
  if (envelope.error_code === 0) return { data: envelope.data, services: envelope.Services, requestId };
  const after = answer.headers.get("Retry-After");
  const retryAfter = after !== null && /^\d+$/.test(after) ? Number(after) : undefined;
  throw new BawabError(envelope.error_code, envelope.error_message, { status: answer.status, requestId, retryAfter });
}

export class Client {
  /** @param {string} url @param {string} key @param {any} [options] */
  constructor(url, key, options = {}) {
    this.url = url.replace(/\/+$/, "");
    this.key = key;
    this.language = options.language;
    this.retries = options.retries ?? 3;
    this.longestWait = options.longestWait ?? 30;
    this.timeout = options.timeout ?? 60;
    this.fetch = options.fetch ?? ((/** @type {[any, any]} */ ...request) => fetch(...request));
  }

  /** @param {string} path @param {Record<string, unknown>} members @param {AbortSignal} [signal] @returns {Promise<any>} */
  async post(path, members, signal) {
    const headers = { "Content-Type": "application/json", ApiKey: this.key, ...(this.language && { "Accept-Language": this.language }) };
    const body = JSON.stringify(members);
    for (let attempt = 0; ; attempt++) {
      const limit = AbortSignal.timeout(this.timeout * 1000);
      const ends = signal ? AbortSignal.any([signal, limit]) : limit;
      try {
        return await understood(await this.fetch(`${this.url}/v1/${path}`, { method: "POST", headers, body, signal: ends }));
      } catch (e) {
        signal?.throwIfAborted();
        if (!(e instanceof BawabError)) throw new BawabError(Code.NoAnswer, `no answer from ${this.url}: ${/** @type {any} */ (e)?.message}`);
        if (e.retryAfter === undefined || e.retryAfter > this.longestWait || attempt >= this.retries) throw e;
        await wait(e.retryAfter * 1000, signal);
      }
    }
  }

  /** @param {string} path @param {any} image @param {any} options */
  async document(path, image, { transactionId, clientTransactionId, evidence, page, signal } = /** @type {any} */ ({})) {
    const members = { transaction_id: transactionId, client_transaction_id: clientTransactionId, evidence, page, image: await encoded(image) };
    return this.post(path, members, signal);
  }

  /** @param {any} image @param {any} [options] */
  idFront(image, options) { return this.document("ocr/id/front", image, options); }
  /** @param {any} image @param {any} [options] */
  idBack(image, options) { return this.document("ocr/id/back", image, options); }
  /** @param {any} image @param {any} [options] */
  carLicenseFront(image, options) { return this.document("ocr/car/license/front", image, options); }
  /** @param {any} image @param {any} [options] */
  carLicenseBack(image, options) { return this.document("ocr/car/license/back", image, options); }
  /** @param {any} image @param {any} [options] */
  passport(image, options) { return this.document("ocr/passport", image, options); }
  /** @param {any} image @param {any} [options] */
  drivingLicense(image, options) { return this.document("ocr/driving_license", image, options); }
  /** @param {any} image @param {any} [options] */
  licensePlate(image, options) { return this.document("ocr/license_plate", image, options); }
  /** @param {string} kind @param {any} image @param {any} [options] */
  kind(kind, image, options) { return this.document(`ocr/kinds/${encodeURIComponent(kind)}`, image, options); }
  /** @param {any} image @param {any} [options] */
  multi(image, options) { return this.document("ocr/multi", image, options); }
  /** @param {any} image @param {any} [options] */
  general(image, options) { return this.document("ocr/general", image, options); }

  /** @param {string} transactionId @param {any} image @param {any} [options] */
  matchFace(transactionId, image, options) { return this.document("ocr/face/match", image, { ...options, transactionId }); }

  /** @param {string} transactionId @param {any[]} faces @param {any} [options] */
  async liveness(transactionId, faces, { clientTransactionId, evidence, signal } = /** @type {any} */ ({})) {
    const [face_1, face_2, face_3] = await Promise.all(faces.map(encoded));
    return this.post("ocr/liveness/multi", { transaction_id: transactionId, client_transaction_id: clientTransactionId, evidence, face_1, face_2, face_3 }, signal);
  }

  /** @param {string} transactionId @param {any} [options] */
  cameraLiveness(transactionId, { clientTransactionId, evidence, frames, signal } = /** @type {any} */ ({})) {
    return this.post("camera/liveness", { transaction_id: transactionId, client_transaction_id: clientTransactionId, evidence, frames }, signal);
  }

  /** @param {string} endpoint @param {any} [options] */
  cameraDocument(endpoint, { transactionId, clientTransactionId, evidence, signal } = /** @type {any} */ ({})) {
    return this.post("camera/document", { endpoint, transaction_id: transactionId, client_transaction_id: clientTransactionId, evidence }, signal);
  }
}

/** Opens the visitor's camera in a video element. @param {HTMLVideoElement} video @param {MediaTrackConstraints} [wanted] */
export async function openCamera(video, wanted = {}) {
  const constraints = { facingMode: "user", width: { ideal: 1280 }, height: { ideal: 720 }, ...wanted };
  const stream = await navigator.mediaDevices.getUserMedia({ video: constraints, audio: false });
  video.srcObject = stream;
  video.muted = true;
  video.playsInline = true;
  await video.play();
  return () => {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
}

/** Resolves with the time of the next frame. @param {HTMLVideoElement} video @returns {Promise<number>} */
function nextFrame(video) {
  return new Promise((resolve) => {
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback((now) => resolve(now));
    else requestAnimationFrame(resolve);
  });
}

/**
 * Takes three different frames of a playing video, gap milliseconds apart. When the browser was too slow and a gap came out longer than
 * 500 ms, all three are taken again.
 * @param {HTMLVideoElement} video @param {{gap?: number, tries?: number, signal?: AbortSignal}} [options] @returns {Promise<Blob[]>}
 */
export async function captureFrames(video, { gap = 250, tries = 5, signal } = {}) {
  for (let attempt = 0; attempt < tries; attempt++) {
    const canvases = [];
    let last = 0;
    let longest = 0;
    for (let i = 0; i < 3; i++) {
      if (i > 0) await wait(Math.max(0, last + gap - performance.now() - 20), signal);
      const now = await nextFrame(video);
      signal?.throwIfAborted();
      const canvas = document.createElement("canvas");
      canvas.width = video.videoWidth;
      canvas.height = video.videoHeight;
      canvas.getContext("2d")?.drawImage(video, 0, 0);
      canvases.push(canvas);
      if (i > 0) longest = Math.max(longest, now - last);
      last = now;
    }
    if (longest <= 500) return Promise.all(canvases.map(blobOf));
  }
  throw new Error("the browser takes pictures too slowly: gaps were longer than 500 ms");
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
function blobOf(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the frame is empty"))), "image/jpeg", 0.92);
  });
}
