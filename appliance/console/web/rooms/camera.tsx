// The room Camera: what the appliance's own camera sees, what it tells the person, and how quick it is.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { call, send } from "../api";
import { follow, type Sight } from "../kiosk/ask";
import { Button, Facts, Notice, State, Tabs, Trouble } from "../parts";
import { language, t } from "../text";
import { useAnswer } from "./load";

interface Device {
  configured: boolean;
  recording: boolean;
  device: string;
  rotate: number;
  width: number;
  height: number;
  fps: number;
  gap_min_ms: number;
  gap_max_ms: number;
}

export function Camera() {
  const { found, error, load } = useAnswer<Device>("/console/camera");
  const c = found.value;
  return (
    <div class="room camera">
      <header>
        <h1>{t("room.camera")}</h1>
      </header>
      {error.value !== null && <Trouble error={error.value} retry={() => void load()} />}
      {c && !c.configured && <Notice tone="look" title={t("camera.none")}>{t("camera.none.text")}</Notice>}
      {c?.configured && <Working of={c} />}
    </div>
  );
}

function Working({ of: c }: { of: Device }) {
  const subject = useSignal<"face" | "document">("document");
  const gaps = useSignal<number[] | null | undefined>(undefined);
  const error = useSignal<unknown>(null);
  const busy = useSignal(false);
  const burst = async () => {
    busy.value = true;
    error.value = null;
    try {
      gaps.value = (await call("/console/camera/burst", { method: "POST" })).data.gaps_ms;
    } catch (e) {
      error.value = e;
    }
    busy.value = false;
  };
  const facts: [string, string][] = [
    [t("camera.device"), c.device],
    [t("camera.rotate"), t("camera.degrees", { n: c.rotate })],
    [t("camera.size"), `${c.width} × ${c.height}, ${c.fps}/s`],
    [t("camera.wanted"), t("camera.ms", { from: c.gap_min_ms, to: c.gap_max_ms })],
  ];
  const choices = [
    { value: "document" as const, label: t("camera.document") },
    { value: "face" as const, label: t("camera.face") },
  ];
  return (
    <>
      {c.recording && <Notice tone="look" title={t("camera.recorded")} />}
      <div class="pair wide">
        <section>
          <Tabs label={t("camera.subject")} choices={choices} value={subject.value} choose={(v) => (subject.value = v)} />
          <Preview key={subject.value + language.value} subject={subject.value} />
        </section>
        <section>
          <Facts of={facts} />
          <h2>{t("camera.burst")}</h2>
          <p class="lead">{t("camera.burst.text")}</p>
          <p>
            <Button icon="camera" disabled={busy.value} onClick={() => void burst()}>
              {t("camera.burst.go")}
            </Button>
          </p>
          {error.value !== null && <Trouble error={error.value} />}
          {gaps.value && <State tone="good">{t("camera.gaps", { gaps: gaps.value.map(Math.round).join(", ") })}</State>}
          {gaps.value === null && <State tone="bad">{t("camera.slow")}</State>}
        </section>
      </div>
    </>
  );
}

function Preview({ subject }: { subject: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const sight = useSignal<Sight | null>(null);
  const error = useSignal<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    const draw = async (jpeg: Blob, s: Sight) => {
      sight.value = s;
      const picture = await createImageBitmap(jpeg);
      const c = canvas.current;
      if (c) {
        c.width = picture.width;
        c.height = picture.height;
        c.getContext("2d")?.drawImage(picture, 0, 0);
      }
      picture.close();
    };
    send(`/v1/camera/preview?subject=${subject}`, { stop: stop.signal, background: true })
      .then((answer) => follow(answer, (jpeg, s) => void draw(jpeg, s).catch(() => undefined)))
      .catch((e) => stop.signal.aborted || (error.value = e));
    return () => stop.abort();
  }, []);
  if (error.value !== null) return <Trouble error={error.value} />;
  return (
    <figure class="live">
      <div>
        <canvas ref={canvas} width={1280} height={720} />
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {sight.value?.outline && <polygon points={sight.value.outline} />}
        </svg>
      </div>
      <figcaption role="status">{sight.value?.text ?? ""}</figcaption>
    </figure>
  );
}
