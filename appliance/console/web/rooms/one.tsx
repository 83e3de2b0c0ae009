// One picture: chosen, dropped, pasted or photographed, then read and shown beside its form.
import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { base64, call, type Envelope } from "../api";
import { Button, Code, Icon, Notice, Tabs, Trouble } from "../parts";
import { bytes, type Name, t } from "../text";
import { example, type Tongue } from "./call";
import { Form } from "./form";
import { accepted, most, pictureIn, refusal } from "./picture";
import { placesOf } from "./result";
import { Stage } from "./stage";

export const endpoints = [
  "ocr/multi",
  "ocr/id/front",
  "ocr/id/back",
  "ocr/passport",
  "ocr/driving_license",
  "ocr/car/license/front",
  "ocr/car/license/back",
  "ocr/license_plate",
  "ocr/general",
] as const;

// Kind is a kind of document that the model set in use brings beside those of the contract.
interface Kind {
  kind: string;
  title: string;
}

interface Read {
  endpoint: string;
  file: string;
  answer: Envelope;
  took: number;
}

// work holds what the room knows; it lives as long as the page.
function useWork() {
  const endpoint = useSignal<string>("ocr/multi");
  const kinds = useSignal<Kind[]>([]);
  const file = useSignal<File | null>(null);
  const url = useSignal("");
  const read = useSignal<Read | null>(null);
  const error = useSignal<unknown>(null);
  const refused = useSignal("");
  const running = useSignal<AbortController | null>(null);
  const keeps = useSignal<string | null>(null); // review.keep, null while it is not known
  const start = async () => {
    if (!file.value) return;
    running.value?.abort();
    const mine = new AbortController();
    running.value = mine;
    read.value = error.value = null;
    try {
      const [asked, name] = [endpoint.value, file.value.name];
      const image = await base64(file.value);
      const began = performance.now();
      const answer = await call(`/v1/${asked}`, { method: "POST", body: { image, evidence: true }, stop: mine.signal });
      if (running.value === mine) read.value = { endpoint: asked, file: name, answer, took: Math.round(performance.now() - began) };
    } catch (e) {
      if (!mine.signal.aborted) error.value = e;
    } finally {
      if (running.value === mine) running.value = null;
    }
  };
  const take = async (chosen: File | null) => {
    if (!chosen) return;
    refused.value = (await refusal(chosen)) ?? "";
    if (refused.value) return;
    if (url.value) URL.revokeObjectURL(url.value);
    file.value = chosen;
    url.value = URL.createObjectURL(chosen);
    await start();
  };
  const stop = () => {
    running.value?.abort();
    running.value = null;
  };
  const choose = (e: string) => {
    endpoint.value = e;
    void start();
  };
  // look learns which kinds there are, of which those of a set that is gone are offered no more, and whether pictures are kept.
  const look = async () => {
    try {
      kinds.value = (await call("/v1/ocr/kinds", { background: true })).data.kinds;
    } catch {
      kinds.value = [];
    }
    try {
      const settings: { path: string; value: string }[] = (await call("/console/settings", { background: true })).data;
      keeps.value = settings.find((s) => s.path === "review.keep")?.value ?? null;
    } catch {
      keeps.value = null;
    }
  };
  return { kinds, keeps, look, endpoint, file, url, read, error, refused, running, start, take, stop, choose };
}

type Work = ReturnType<typeof useWork>;

export function One({ shown }: { shown: boolean }) {
  const work = useWork();
  const over = useSignal(false);
  const drop = (e: DragEvent) => {
    e.preventDefault();
    over.value = false;
    void work.take(pictureIn(e.dataTransfer));
  };
  useEffect(() => {
    if (!shown) return;
    void work.look();
    const paste = (e: ClipboardEvent) => void work.take(pictureIn(e.clipboardData));
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [shown]);
  return (
    <div
      class={over.value ? "one over" : "one"}
      onDragOver={(e) => {
        e.preventDefault();
        over.value = true;
      }}
      onDragLeave={() => (over.value = false)}
      onDrop={drop}
    >
      {work.refused.value && <Notice tone="bad" title={work.refused.value} />}
      {work.file.value ? <Opened work={work} /> : <Empty work={work} />}
    </div>
  );
}

export function Choose({ take, main, label, many }: { take: (f: File[]) => void; main?: boolean; label?: string; many?: boolean }) {
  const files = useRef<HTMLInputElement>(null);
  const changed = (e: Event) => {
    const input = e.currentTarget as HTMLInputElement;
    take([...(input.files ?? [])]);
    input.value = "";
  };
  return (
    <>
      <input ref={files} class="unseen" type="file" tabIndex={-1} aria-hidden="true" accept={accepted} multiple={many} onChange={changed} />
      <Button icon="upload" kind={main ? "main" : undefined} onClick={() => files.current?.click()}>
        {label ?? t("try.choose")}
      </Button>
    </>
  );
}

// Photo opens the camera of a phone; other devices offer their files.
function Photo({ take }: { take: (f: File | null) => void }) {
  const photo = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={photo}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-hidden="true"
        accept="image/*"
        capture="environment"
        onChange={(e) => take(e.currentTarget.files?.[0] ?? null)}
      />
      <Button icon="camera" onClick={() => photo.current?.click()}>
        {t("try.photo")}
      </Button>
    </>
  );
}

function Endpoint({ work }: { work: Work }) {
  return (
    <label class="endpoint">
      <span>{t("try.endpoint")}</span>
      <select value={work.endpoint.value} onChange={(e) => work.choose(e.currentTarget.value)}>
        {endpoints.map((e) => (
          <option value={e}>{t(`endpoint.${e}` as Name)}</option>
        ))}
        {work.kinds.value.map((k) => (
          <option value={`ocr/kinds/${k.kind}`}>{k.title ? `${k.title} (${k.kind})` : k.kind}</option>
        ))}
      </select>
    </label>
  );
}

function Empty({ work }: { work: Work }) {
  return (
    <div class="drop">
      <div class="paper" aria-hidden="true">
        <Icon name="id-card" />
      </div>
      <h2>{t("try.drop")}</h2>
      <p>{t("try.drop.text", { size: bytes(most) })}</p>
      <div class="row">
        <Choose main take={([f]) => void work.take(f ?? null)} />
        <Photo take={(f) => void work.take(f)} />
      </div>
      <Endpoint work={work} />
      {work.keeps.value !== null && <p class="hint">{work.keeps.value === "0" ? t("try.privacy") : t("try.keeps", { n: work.keeps.value })}</p>}
    </div>
  );
}

function Opened({ work }: { work: Work }) {
  const active = useSignal("");
  const places = useComputed(() => (work.read.value ? placesOf(work.read.value.answer, active.value) : []));
  return (
    <>
      <div class="bar">
        <Endpoint work={work} />
        <span class="space" />
        {work.read.value && <small class="took">{t("try.took", { ms: work.read.value.took })}</small>}
        <Button icon="rotate-ccw" onClick={() => void work.start()} disabled={work.running.value !== null}>
          {t("try.again")}
        </Button>
        <Choose main label={t("try.another")} take={([f]) => void work.take(f ?? null)} />
      </div>
      <div class="beside">
        <Stage url={work.url.value} places={places.value} active={active} busy={work.running.value !== null} />
        <div class="answer" aria-live="polite">
          {work.running.value && (
            <div class="reading">
              <p>{t("try.reading")}</p>
              <Button onClick={work.stop}>{t("try.stop")}</Button>
            </div>
          )}
          {work.error.value !== null && <Trouble error={work.error.value} retry={() => void work.start()} />}
          {work.read.value && <Answer read={work.read.value} active={active} />}
        </div>
      </div>
    </>
  );
}

type Leaf = "form" | "json" | Tongue;

function Answer({ read, active }: { read: Read; active: Signal<string> }) {
  const leaf = useSignal<Leaf>("form");
  const leaves: Leaf[] = ["form", "json", "curl", "python", "typescript"];
  const id: string = read.answer.data?.transaction_id ?? "";
  return (
    <>
      <Tabs label={t("try.title")} value={leaf.value} choose={(l) => (leaf.value = l)} choices={leaves.map((l) => ({ value: l, label: t(`tab.${l}`) }))} />
      {leaf.value === "form" && <Form answer={read.answer} active={active} />}
      {leaf.value === "json" && <Code text={JSON.stringify(read.answer, null, 2)} />}
      {leaf.value !== "form" && leaf.value !== "json" && <Code text={example(leaf.value, location.origin, read.endpoint, read.file, null)} />}
      {read.answer.data?.reviewed && <p class="hint kept">{t("try.kept")}</p>}
      {id && (
        <p class="hint">
          {t("form.transaction")} <bdi class="id">{id}</bdi> · <a href={`#transactions/${id}`}>{t("form.open")}</a>
        </p>
      )}
    </>
  );
}
