// The steps that look through a camera: the sides of a document and the face.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../api";
import { wait } from "../rooms/webcam";
import { has, type Name, t } from "../text";
import { ask, setup, type Sight, type View } from "./ask";
import { BrowserEye, OwnEye, type Shots } from "./eye";
import { Title } from "./parts";
import { tone } from "./sound";

interface StepProps {
  view: View;
  next: (v: View) => void;
  lost: (e: unknown) => void;
}

// steady is how many looks in a row must find everything in order before a picture is taken.
const steady = 2;

// noteText says why a step asks again, in the customer's words.
function noteText(v: View): string {
  const { code, word } = v.note;
  if (word && has(`kiosk.note.${word}`)) return t(`kiosk.note.${word}` as Name);
  if (code === 0 || code === 3011 || (code === 3308 && v.step === "back")) return ""; // not turned over yet
  return code === 3308 ? t("kiosk.note.other") : t("kiosk.note.unsure");
}

// doubted is after how many milliseconds a document is read although it does not look like the one that is wanted.
const doubted = 8000;

// wanted is what the document of a step looks like before it is read.
function wanted(v: View): string {
  return v.kind === "national_id" ? `national_id_${v.step}` : v.kind;
}

// useLook takes pictures by itself while the step lasts: each time when the camera has seen for a moment what it needs.
function useLook({ view, next, lost }: StepProps) {
  const face = view.step === "face";
  const own = setup.value?.own_camera === true;
  const sight = useSignal<Sight | null>(null);
  const busy = useSignal(false);
  const progress = useSignal(0);
  const blind = useSignal("");
  const noted = useSignal("");
  const shots = useRef<Shots | null>(null);
  const gone = useRef(false);
  const fits = useRef(0);
  const since = useRef(performance.now());
  const take = async () => {
    busy.value = true;
    progress.value = 0.66;
    try {
      const path = face ? "face" : "document";
      let body: object = { run: view.run };
      if (!own && shots.current) {
        const frames = face ? await shots.current.three() : [];
        body = face ? { ...body, face_1: frames[0], face_2: frames[1], face_3: frames[2] } : { ...body, image: await shots.current.one() };
      }
      const v = await ask<View>(path, body);
      if (gone.current) return;
      const on = v.step !== view.step;
      if (on) {
        progress.value = 1;
        tone(880);
        await wait(450);
      }
      next(v);
      noted.value = on ? "" : noteText(v);
      if (noted.value) await wait(2500); // time to read why
      noted.value = "";
    } catch (e) {
      if (!gone.current) lost(e);
      await wait(1000);
    } finally {
      fits.current = 0;
      since.current = performance.now();
      progress.value = 0;
      busy.value = false;
    }
  };
  useEffect(
    () =>
      sight.subscribe((s) => {
        if (s) blind.value = ""; // it sees again
        const right = face || s?.kind === wanted(view) || (s?.kind && performance.now() - since.current > doubted);
        // The appliance's own camera waits by itself until a document lies still; of another one the page waits for that.
        const good = right && (s?.guidance === "ready" || (own && !face));
        fits.current = good ? fits.current + 1 : 0;
        if (face) progress.value = busy.peek() ? progress.peek() : Math.min(fits.current, steady) / (3 * steady);
        if (!busy.peek() && fits.current >= steady) void take();
      }),
    [],
  );
  useEffect(() => () => void (gone.current = true), []);
  const failed = (e: unknown) => {
    if (e instanceof Refused && e.code === 503) blind.value = t("kiosk.camera.busy");
    else if (e instanceof Refused || e instanceof TypeError) lost(e);
    else blind.value = t("kiosk.camera.none");
  };
  return { sight, busy, progress, blind, noted, failed, own, ready: (s: Shots) => (shots.current = s) };
}

export function Looking(props: StepProps) {
  const { view } = props;
  const look = useLook(props);
  const subject = view.step === "face" ? "face" : "document";
  const seen = look.sight.value;
  const title = view.step === "face" ? t("kiosk.face") : t(`kiosk.${view.step === "back" ? "back" : `front.${view.kind}`}` as Name);
  // A picture may be good and show the wrong side or another document.
  const other = subject === "document" && seen?.guidance === "ready" && !!seen.kind && seen.kind !== wanted(view);
  const fits = seen?.guidance === "ready" && !other;
  const guided = other ? t(view.step === "back" ? "kiosk.turn" : "kiosk.note.other") : seen?.text || t("kiosk.wait");
  const said = look.noted.value || look.blind.value || (look.busy.value && subject === "face" ? t("kiosk.hold") : guided);
  const eye = { subject, sight: look.sight, progress: look.progress.value, fits, failed: look.failed } as const;
  return (
    <div class="looking">
      <div class="pane">{look.own ? <OwnEye {...eye} /> : <BrowserEye {...eye} run={view.run} busy={look.busy} ready={look.ready} />}</div>
      <div class="told">
        <Title>{title}</Title>
        <p class={`guidance ${look.noted.value ? "note" : fits ? "fits" : ""}`} role="status" aria-live="polite">
          {said}
        </p>
      </div>
    </div>
  );
}
