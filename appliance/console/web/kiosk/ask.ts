// How the kiosk's page asks the appliance: with the screen's cookie, which no script sees, and a header that no other page can send.
import { type Signal, signal } from "@preact/signals";
import { type Envelope, Refused } from "../api";
import { language } from "../text";

export interface Setup {
  screen: string;
  code: string;
  kinds: string[];
  steps: string[];
  own_camera: boolean;
  languages: ("ar" | "en")[];
  accent: string;
  scheme: string;
  sound: boolean;
  logo: boolean;
  last_ms: number;
  text: Record<string, Record<string, string>>;
}

export interface View {
  run: string;
  kind: string;
  step: "welcome" | "front" | "back" | "check" | "face" | "done" | "colleague";
  left_ms: number;
  fields: { name: string; value: string }[];
  note: { code: number; word: string };
  reference: string;
}

export interface Sight {
  guidance: string;
  text: string;
  kind: string;
  outline: string | null;
  flash?: string;
}

const headers = () => ({ "Bawab-Kiosk": "1", "Accept-Language": language.value });

// ask sends a request and returns the data of its answer. A refusal throws Refused, a lost connection what fetch throws.
export async function ask<T>(path: string, body: object, stop?: AbortSignal): Promise<T> {
  const answer = await fetch(`/kiosk/${path}`, {
    method: "POST",
    headers: { ...headers(), "Content-Type": "application/json" },
    body: JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: stop,
  });
  const envelope = (await answer.json()) as Envelope;
  if (envelope.error_code !== 0) throw new Refused(envelope.error_code, envelope.error_message);
  return envelope.data;
}

// leave ends a check while the page goes away; the browser sends it after the page.
export function leave(run: string): void {
  const options = { method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body: JSON.stringify({ run, why: "stopped" }) };
  void fetch("/kiosk/stop", { ...options, keepalive: true }).catch(() => undefined);
}

// preview reads the stream of the appliance's own camera: one JPEG a part, with what is seen in the part's headers.
export async function preview(subject: string, stop: AbortSignal, shown: Shown): Promise<void> {
  return follow(await fetch(`/kiosk/preview?subject=${subject}`, { headers: headers(), cache: "no-store", signal: stop }), shown);
}

export type Shown = (jpeg: Blob, sight: Sight) => void;

// follow shows what a stream of the camera brings.
export async function follow(answer: Response, shown: Shown): Promise<void> {
  if (!answer.ok || !answer.body) {
    const envelope = (await answer.json()) as Envelope;
    throw new Refused(envelope.error_code, envelope.error_message);
  }
  const reader = answer.body.getReader();
  let held: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held = joined(held, value);
    for (let part = take(held); part; part = take(held)) {
      held = held.slice(part.end);
      shown(part.jpeg, part.sight);
    }
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

const text = new TextDecoder();

// take cuts the first whole part off what was received, null while it is not whole.
function take(held: Uint8Array<ArrayBuffer>): { jpeg: Blob; sight: Sight; end: number } | null {
  const head = text.decode(held.subarray(0, 4096));
  const length = /Content-Length: (\d+)/.exec(head);
  const body = blank(held);
  if (!length || body < 0) return null;
  const end = body + Number(length[1]);
  if (held.length < end + 2) return null;
  const of = (name: string) => new RegExp(`^${name}: (.*)\r$`, "m").exec(head.slice(0, head.indexOf("\r\n\r\n") + 2))?.[1];
  const sight = { guidance: of("X-Guidance") ?? "", text: of("X-Guidance-Text") ?? "", kind: of("X-Kind") ?? "", outline: of("X-Outline") ?? null, flash: of("X-Flash") };
  return { jpeg: new Blob([held.slice(body, end)], { type: "image/jpeg" }), sight, end: end + 2 };
}

// blank finds where the headers of a part end.
function blank(b: Uint8Array): number {
  for (let i = 0; i + 3 < b.length; i++) if (b[i] === 13 && b[i + 1] === 10 && b[i + 2] === 13 && b[i + 3] === 10) return i + 4;
  return -1;
}

export const setup: Signal<Setup | null> = signal(null);
