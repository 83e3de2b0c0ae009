// How the pages ask the appliance: with the session's cookie, which no script sees, and its token.
import { signal } from "@preact/signals";
import { language } from "./text";

export interface Session {
  key: string;
  scopes: string[];
  token: string;
  idle_seconds: number;
  version: string;
}

export interface Envelope {
  data: any;
  Services: any;
  error_code: number;
  error_message: string;
}

// Refused is an answer that says why there is none.
export class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

// session is null until somebody is signed in; ended says that there was one.
export const session = signal<Session | null>(null);
export const ended = signal(false);

interface Ask {
  method?: string;
  body?: unknown;
  background?: boolean;
  stop?: AbortSignal;
}

// send asks and returns the answer as it came. A lost connection throws what fetch throws.
export async function send(path: string, ask: Ask = {}): Promise<Response> {
  const headers: Record<string, string> = { "Accept-Language": language.value };
  if (session.value) headers["Bawab-Token"] = session.value.token;
  if (ask.background) headers["Bawab-Background"] = "1";
  if (ask.body !== undefined) headers["Content-Type"] = "application/json";
  return fetch(path, {
    method: ask.method ?? "GET",
    headers,
    body: ask.body === undefined ? undefined : JSON.stringify(ask.body),
    signal: ask.stop,
    credentials: "same-origin",
    cache: "no-store",
  });
}

// call asks and returns the envelope; a refusal throws Refused. When the session has ended the sign-in is shown over the page.
export async function call(path: string, ask: Ask = {}): Promise<Envelope> {
  let envelope = (await (await send(path, ask)).json()) as Envelope;
  const refused = envelope.error_code === 401 || envelope.error_code === 403;
  if (refused && session.value && (await renewed(ask))) envelope = (await (await send(path, ask)).json()) as Envelope;
  if (envelope.error_code !== 0) throw new Refused(envelope.error_code, envelope.error_message);
  return envelope;
}

// renewed takes up what another tab of this browser did with the session, and reports whether a request is worth another try: the same key
// has signed in anew. What was begun under one key does not go on under another.
async function renewed(ask: Ask): Promise<boolean> {
  const mine = session.value;
  const answer = await send("/console/session", { background: ask.background, stop: ask.stop });
  const now = ((await answer.json()) as Envelope).data as Session | null;
  ended.value = now === null;
  if (now?.token !== mine?.token) session.value = now;
  return now !== null && now.token !== mine?.token && now.key === mine?.key;
}

// resume takes up the session of this browser, if there is one.
export async function resume(): Promise<void> {
  session.value = (await call("/console/session")).data;
}

export async function signIn(key: string): Promise<void> {
  session.value = (await call("/console/session", { method: "POST", body: { key } })).data;
  ended.value = false;
}

export async function signOut(): Promise<void> {
  try {
    await call("/console/session", { method: "DELETE" });
  } finally {
    session.value = null;
    ended.value = false;
  }
}

// pictureOf fetches a picture of an answer in review with the session's token, which an img element cannot send.
export async function pictureOf(id: string, n: number): Promise<string> {
  const answer = await send(`/v1/review/${id}/pictures/${n}`);
  if (!answer.ok) {
    const envelope = (await answer.json()) as Envelope;
    throw new Refused(envelope.error_code, envelope.error_message);
  }
  return URL.createObjectURL(await answer.blob());
}

// follow reads server-sent events until the stream ends.
export async function follow(path: string, stop: AbortSignal, opened: () => void, heard: (event: string, data: string) => void): Promise<void> {
  const answer = await send(path, { stop, background: true });
  if (!answer.ok || !answer.body) {
    const envelope = (await answer.json()) as Envelope;
    throw new Refused(envelope.error_code, envelope.error_message);
  }
  opened();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held += value;
    for (let end = held.indexOf("\n\n"); end >= 0; end = held.indexOf("\n\n")) {
      const lines = held.slice(0, end).split("\n");
      held = held.slice(end + 2);
      const of = (name: string) => lines.find((l) => l.startsWith(name + ": "))?.slice(name.length + 2);
      const data = of("data");
      if (data !== undefined) heard(of("event") ?? "message", data);
    }
  }
}

// base64 writes a file as the API takes it.
export async function base64(file: Blob): Promise<string> {
  const url = await new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}
