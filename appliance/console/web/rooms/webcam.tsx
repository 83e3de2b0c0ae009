// The browser's camera: one picture, or three frames in quick sequence.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, Notice } from "../parts";
import { type Name, t } from "../text";

// apart is what frames are taken apart; the contract takes at most 500 ms.
const apart = 250;
const most = 500;

export interface Burst {
  frames: Blob[];
  gaps: number[];
}

function frameOf(video: HTMLVideoElement): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return new Promise((done, failed) => canvas.toBlob((b) => (b ? done(b) : failed(new Error("no frame"))), "image/jpeg", 0.92));
}

export const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

// burst takes three frames and measures when each was taken, by the page's own clock.
async function burst(video: HTMLVideoElement, step: (n: number) => void): Promise<Burst> {
  const taken: number[] = [];
  const frames: Promise<Blob>[] = [];
  for (let i = 0; i < 3; i++) {
    if (i > 0) await wait(apart);
    taken.push(performance.now());
    frames.push(frameOf(video)); // drawn now, compressed meanwhile
    step(i + 1);
  }
  const gaps = [taken[1]! - taken[0]!, taken[2]! - taken[1]!].map(Math.round);
  return { frames: await Promise.all(frames), gaps };
}

function why(e: unknown): Name {
  if (!navigator.mediaDevices) return "step.camera.insecure";
  return e instanceof DOMException && e.name === "NotFoundError" ? "step.camera.none" : "step.camera.denied";
}

interface Props {
  three: boolean;
  busy: boolean;
  took: (b: Burst) => void;
}

export function Webcam({ three, busy, took }: Props) {
  const stream = useSignal<MediaStream | null>(null);
  const problem = useSignal("");
  const step = useSignal(0);
  const video = useRef<HTMLVideoElement>(null);
  const close = () => {
    for (const track of stream.peek()?.getTracks() ?? []) track.stop();
    stream.value = null;
  };
  useEffect(() => close, []);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream.value;
  }, [stream.value]);
  const open = async () => {
    problem.value = "";
    try {
      stream.value = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "user", width: { ideal: 1280 }, height: { ideal: 720 } } });
    } catch (e) {
      problem.value = t(why(e));
    }
  };
  const shoot = async () => {
    if (!video.current) return;
    step.value = 0;
    const b = three ? await burst(video.current, (n) => (step.value = n)) : { frames: [await frameOf(video.current)], gaps: [] };
    step.value = 0;
    problem.value = b.gaps.some((g) => g > most) ? t("step.late", { gaps: b.gaps.join(", ") }) : "";
    if (!problem.value) took(b);
  };
  return (
    <div class="webcam">
      {problem.value && <Notice tone="bad" title={problem.value} />}
      {stream.value ? (
        <>
          <div class="lens">
            <video ref={video} autoplay playsInline muted />
            <Ring step={step.value} of={three ? 3 : 1} />
          </div>
          <div class="row">
            <Button kind="main" icon={three ? "scan-face" : "camera"} onClick={() => void shoot()} disabled={busy || step.value > 0}>
              {three ? t("step.camera.burst") : t("step.camera.shoot")}
            </Button>
            <Button onClick={close}>{t("step.camera.close")}</Button>
          </div>
        </>
      ) : (
        <Button kind="main" icon="camera" onClick={() => void open()} disabled={busy}>
          {t("step.camera.start")}
        </Button>
      )}
    </div>
  );
}

// Ring shows how many frames have been taken, around the place of the face.
function Ring({ step, of }: { step: number; of: number }) {
  return (
    <svg class="ring" viewBox="0 0 100 120" aria-hidden="true">
      <ellipse class="rail" cx="50" cy="60" rx="40" ry="52" pathLength={of} />
      <ellipse class="done" cx="50" cy="60" rx="40" ry="52" pathLength={of} stroke-dasharray={`${step} ${of}`} />
    </svg>
  );
}
