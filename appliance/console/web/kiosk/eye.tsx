// What the camera sees, the appliance's own or the browser's, with the outline of the document or the oval for the face over it.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { base64 } from "../api";
import { wait } from "../rooms/webcam";
import { language } from "../text";
import { ask, preview, type Sight } from "./ask";

export interface EyeProps {
  subject: "document" | "face";
  sight: Signal<Sight | null>;
  progress: number; // of the look at a face, 0 to 1
  fits: boolean; // what is seen can be taken
}

// OwnEye shows the camera of the appliance. A stream that breaks off is taken up again.
export function OwnEye({ subject, sight, progress, fits, failed }: EyeProps & { failed: (e: unknown) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ratio = useSignal(16 / 9);
  useEffect(() => {
    const stop = new AbortController();
    const draw = async (jpeg: Blob, s: Sight) => {
      // While a capture waits for stillness it says nothing of the place, which is where it was.
      const seen = sight.peek();
      sight.value = s.guidance === "hold_still" && !s.outline && seen ? { ...s, outline: seen.outline, kind: seen.kind } : s;
      const picture = await createImageBitmap(jpeg);
      const c = canvas.current;
      if (!c) return;
      if (c.width !== picture.width) c.width = picture.width;
      if (c.height !== picture.height) c.height = picture.height;
      ratio.value = picture.width / picture.height;
      c.getContext("2d")?.drawImage(picture, 0, 0);
      picture.close();
    };
    const follow = async () => {
      while (!stop.signal.aborted) {
        await preview(subject, stop.signal, (jpeg, s) => void draw(jpeg, s).catch(() => undefined)).catch((e) => stop.signal.aborted || failed(e));
        await wait(1000);
      }
    };
    void follow();
    return () => stop.abort();
  }, [language.value]); // guidance comes with the pictures
  return (
    <div class={`eye ${subject} ${sight.value?.flash ?? ""}`} ref={(e) => e?.style.setProperty("--ratio", String(ratio.value))}>
      <canvas ref={canvas} width={1280} height={720} aria-hidden="true" />
      <Over subject={subject} sight={sight.value} progress={progress} fits={fits} />
    </div>
  );
}

export interface Shots {
  one: () => Promise<string>;
  three: () => Promise<string[]>;
}

const glances = 350; // milliseconds between two looks at the browser's camera
const apart = 250; // between the frames of a face; the contract takes at most 500
const most = 500;

async function frame(video: HTMLVideoElement, quality: number): Promise<string> {
  const c = document.createElement("canvas");
  c.width = video.videoWidth;
  c.height = video.videoHeight;
  c.getContext("2d")?.drawImage(video, 0, 0);
  const jpeg = await new Promise<Blob | null>((done) => c.toBlob(done, "image/jpeg", quality));
  if (!jpeg) throw new Error("no frame");
  return base64(jpeg);
}

// three takes the frames of a face; one that came too late is taken again, with those before it.
async function three(video: HTMLVideoElement): Promise<string[]> {
  for (;;) {
    const taken: number[] = [];
    const frames: Promise<string>[] = [];
    for (let i = 0; i < 3; i++) {
      if (i > 0) await wait(apart);
      taken.push(performance.now());
      frames.push(frame(video, 0.92));
    }
    if (taken[1]! - taken[0]! <= most && taken[2]! - taken[1]! <= most) return Promise.all(frames);
  }
}

// BrowserEye shows the camera of the screen's browser, and lets the appliance look at it a few times a second.
export function BrowserEye({ subject, sight, progress, fits, run, busy, failed, ready }: EyeProps & {
  run: string;
  busy: Signal<boolean>;
  failed: (e: unknown) => void;
  ready: (s: Shots) => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const ratio = useSignal(4 / 3);
  useEffect(() => {
    let stream: MediaStream | undefined;
    const stop = new AbortController();
    const look = async (v: HTMLVideoElement) => {
      while (!stop.signal.aborted) {
        await wait(glances);
        if (busy.peek() || v.videoWidth === 0) continue;
        try {
          sight.value = await ask<Sight>("glance", { run, image: await frame(v, 0.8) }, stop.signal);
        } catch (e) {
          if (!stop.signal.aborted) failed(e);
        }
      }
    };
    const open = async () => {
      const want = { width: { ideal: 1600 }, height: { ideal: 1200 }, resizeMode: "none", facingMode: subject === "face" ? "user" : "environment" };
      stream = await navigator.mediaDevices.getUserMedia({ video: want });
      const v = video.current;
      if (stop.signal.aborted || !v) return;
      v.srcObject = stream;
      v.onloadedmetadata = () => (ratio.value = v.videoWidth / v.videoHeight);
      ready({ one: () => frame(v, 0.92), three: () => three(v) });
      void look(v);
    };
    open().catch(failed);
    return () => {
      stop.abort();
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, []);
  return (
    <div class={`eye ${subject}`} ref={(e) => e?.style.setProperty("--ratio", String(ratio.value))}>
      <video ref={video} autoplay playsInline muted aria-hidden="true" />
      <Over subject={subject} sight={sight.value} progress={progress} fits={fits} />
    </div>
  );
}

// Over lies on the picture: the outline of the document as it is seen, or the oval for the face with its ring.
function Over({ subject, sight, progress, fits }: { subject: string; sight: Sight | null; progress: number; fits: boolean }) {
  const fit = fits ? "fits" : "";
  if (subject === "face") {
    return (
      <svg class={`over ${fit}`} viewBox="0 0 100 100" aria-hidden="true">
        <ellipse class="rail" cx="50" cy="50" rx="34" ry="45" pathLength={1} />
        <ellipse class="ring" cx="50" cy="50" rx="34" ry="45" pathLength={1} stroke-dasharray={`${progress} 1`} />
      </svg>
    );
  }
  return (
    <svg class={`over ${fit}`} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      {sight?.outline ? <polygon class="outline" points={sight.outline} /> : <rect class="place" x="0.14" y="0.14" width="0.72" height="0.72" />}
    </svg>
  );
}
