// The room Review: what was read beside its place in the picture, one answer after the other, for the keyboard and for fingers.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { call, pictureOf, Refused } from "../api";
import { Button, Dialog, Notice, State, Tabs, Trouble } from "../parts";
import { moment, type Name, named, t } from "../text";
import { Reason } from "./form";
import { Cards } from "./cards";
import { type Place, type Point, Stage } from "./stage";

interface Head {
  id: string;
  kind: string;
  asked: string; // what an unknown document was to be read as
  at: string;
  expires: string;
  flagged: boolean;
  state: "open" | "decided" | "disputed";
  people: number;
  mine: boolean;
  pictures: number;
  transaction_id: string;
}

interface ReviewField {
  name: string;
  type: "text" | "date";
  value: string;
  codes: { code: number }[];
  derived_from: string[];
  quad: Point[] | null;
}

interface Said {
  by: string;
  verdict: string;
  values: Record<string, string>;
  unreadable: string[];
  same_person: boolean | null;
  living: boolean | null;
}

interface Shown extends Head {
  fields: ReviewField[];
  codes: { code: number }[];
  match: { isMatched: boolean } | null;
  liveness: { isLive: boolean; isMatched: boolean } | null;
  decisions: Said[];
  disputed: string[];
}

type View = "open" | "second" | "cards";
const view = signal<View>("open");
const wanted = signal({ kind: "", since: "" });
const queue = signal<Head[] | null>(null);
const counts = signal({ open: 0, decided: 0, disputed: 0 });
const done = signal(0);
const trouble = signal<unknown>(null);

// refill asks for what waits, of a kind and since a time where the room Drift leads here. A second look is at what others have decided and
// this person has not, beginning with what they differ about.
async function refill(): Promise<void> {
  trouble.value = null;
  const { kind, since } = wanted.value;
  try {
    const { data } = await call(kind ? `/v1/review?limit=500&kind=${encodeURIComponent(kind)}` : "/v1/review?limit=500");
    counts.value = { open: data.open, decided: data.decided, disputed: data.disputed };
    const heads = (data.reviews as Head[]).filter((h) => (h.kind !== "unknown" || h.asked !== "") && !(Date.parse(h.at) < Date.parse(since))); // they have a view of their own
    const differ = (h: Head) => Number(h.state === "disputed");
    queue.value =
      view.value === "open" ? heads.filter((h) => h.state === "open") : heads.filter((h) => h.people > 0 && !h.mine).sort((a, b) => differ(b) - differ(a));
  } catch (e) {
    trouble.value = e;
  }
}

// next takes the first one off the queue.
function next(): void {
  queue.value = queue.value?.slice(1) ?? null;
  if (queue.value?.length === 0) void refill();
}

export function Review({ kind, since }: { kind: string; since: string }) {
  useEffect(() => {
    wanted.value = { kind, since };
    void refill();
  }, [view.value, kind, since]);
  const first = queue.value?.[0];
  const tabs = [
    { value: "open" as View, label: t("review.open", { n: counts.value.open }) },
    { value: "second" as View, label: t("review.second") },
    { value: "cards" as View, label: t("cards.tab") },
  ];
  return (
    <div class="room review">
      <header>
        <div>
          <h1>{t("room.review")}</h1>
          <p class="lead">{t("review.lead")}</p>
        </div>
        <span class="hint">{t("review.done", { n: done.value })}</span>
      </header>
      <Tabs label={t("room.review")} choices={tabs} value={view.value} choose={(v) => (view.value = v)} />
      {kind && (
        <p class="hint since">
          {t("review.since", { kind: named("kind", kind), at: moment(since) })} <a href="#review">{t("review.all")}</a>
        </p>
      )}
      {trouble.value !== null && <Trouble error={trouble.value} retry={() => void refill()} />}
      {view.value === "cards" ? <Cards /> : first ? <One key={first.id} head={first} /> : queue.value && <Notice tone="good" title={t("review.empty")}>{t("review.empty.text")}</Notice>}
    </div>
  );
}

// inOrder puts doubts first and what follows from other fields last: what is printed is looked at before it.
function inOrder(fields: ReviewField[]): ReviewField[] {
  const rank = (f: ReviewField) => (f.codes.length > 0 ? 0 : f.derived_from.length > 0 ? 2 : 1);
  return [...fields].sort((a, b) => rank(a) - rank(b));
}

function One({ head }: { head: Head }) {
  const shown = useSignal<Shown | null>(null);
  const urls = useSignal<string[]>([]);
  const error = useSignal<unknown>(null);
  const load = async () => {
    error.value = null;
    try {
      const { data } = await call(`/v1/review/${head.id}`);
      const found: string[] = [];
      for (let n = 0; n < head.pictures; n++) found.push(await pictureOf(head.id, n));
      urls.value = found;
      shown.value = { ...(data as Shown), fields: inOrder(data.fields) };
    } catch (e) {
      if (e instanceof Refused && e.code === 404) next(); // erased meanwhile
      else error.value = e;
    }
  };
  useEffect(() => {
    void load();
    return () => urls.peek().forEach((u) => URL.revokeObjectURL(u));
  }, []);
  if (error.value !== null) return <Trouble error={error.value} retry={() => void load()} />;
  if (!shown.value) return <p class="waiting">{t("loading")}</p>;
  return shown.value.match || shown.value.liveness ? <Faces review={shown.value} urls={urls.value} /> : <Paper review={shown.value} url={urls.value[0] ?? ""} />;
}

// useDecide sends a decision and goes on; a failure stays on the page, with what was typed.
function useDecide(id: string) {
  const failed = useSignal<unknown>(null);
  const busy = useSignal(false);
  const decide = async (body: object) => {
    if (busy.value) return;
    busy.value = true;
    failed.value = null;
    try {
      await call(`/v1/review/${id}/decision`, { method: "POST", body });
      done.value += 1;
      next();
    } catch (e) {
      failed.value = e;
    } finally {
      busy.value = false;
    }
  };
  return { failed, busy, decide };
}

function Top({ review }: { review: Shown }) {
  return (
    <header class="top">
      <h2>{named("kind", review.asked || review.kind)}</h2>
      {review.asked && <State tone="look">{t("review.unproved")}</State>}
      {review.flagged ? <State tone="look">{t("review.flagged")}</State> : <State tone="plain">{t("review.unflagged")}</State>}
      <small class="hint">
        {moment(review.at)} · {t("review.until", { at: moment(review.expires) })}
      </small>
      {review.disputed.length > 0 && <State tone="bad">{t("review.disputed")}</State>}
    </header>
  );
}

function Others({ review }: { review: Shown }) {
  if (review.decisions.length === 0) return null;
  return (
    <details>
      <summary>{t("review.others", { n: review.decisions.length })}</summary>
      <ul>
        {review.decisions.map((d) => (
          <li>
            <bdi>{d.by}</bdi>: {named("verdict", d.verdict)}{" "}
            {Object.entries(d.values).map(([name, value]) => (
              <span class={review.disputed.includes(name) ? "tag bad" : "tag"}>
                {named("field", name)}: <bdi>{value || "∅"}</bdi>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

// Paper is a document: its picture, and each field's crop beside what was read there.
function Paper({ review, url }: { review: Shown; url: string }) {
  const typed = useSignal<Record<string, string>>({});
  const blurred = useSignal<string[]>([]);
  const active = useSignal("");
  const picture = useSignal<HTMLImageElement | null>(null);
  const rows = useRef<HTMLFormElement>(null);
  const { failed, busy, decide } = useDecide(review.id);
  useEffect(() => {
    const img = new Image();
    img.onload = () => (picture.value = img);
    img.src = url;
    rows.current?.querySelector<HTMLElement>("input")?.focus();
  }, [url]);
  const finish = () => {
    const values: Record<string, string> = {};
    for (const f of review.fields) {
      const now = typed.value[f.name]?.trim();
      if (now !== undefined && now !== f.value && !blurred.value.includes(f.name)) values[f.name] = now;
    }
    const changed = Object.keys(values).length + blurred.value.length > 0;
    return decide(changed ? { verdict: "corrected", values, unreadable: blurred.value } : { verdict: "confirmed" });
  };
  const toggle = (name: string) => {
    const now = blurred.value;
    blurred.value = now.includes(name) ? now.filter((n) => n !== name) : [...now, name];
  };
  const keys = (e: KeyboardEvent) => {
    const name = (e.target as HTMLElement).dataset.field ?? "";
    const inputs = [...(rows.current?.querySelectorAll<HTMLInputElement>("input[data-field]") ?? [])];
    const at = inputs.findIndex((i) => i.dataset.field === name);
    const go = (to: number) => inputs[Math.max(0, Math.min(inputs.length - 1, to))]?.focus();
    const act: Record<string, () => void> = {
      Enter: () => (!e.ctrlKey && review.fields[at + 1]?.codes.length ? go(at + 1) : void finish()),
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      F2: () => name && toggle(name),
      F4: () => void decide({ verdict: "unreadable" }),
      F8: () => void decide({ verdict: "other_document" }),
    };
    const step = act[e.key];
    if (!step || e.isComposing) return;
    e.preventDefault();
    step();
  };
  const places: Place[] = review.fields.flatMap((f) =>
    f.quad ? [{ id: f.name, label: named("field", f.name), quad: f.quad, tone: f.codes.length > 0 ? ("doubt" as const) : ("field" as const) }] : [],
  );
  return (
    <div class="pair">
      <Stage url={url} places={places} active={active} busy={busy.value} />
      <form ref={rows} class="card reviewed" onKeyDown={keys} onSubmit={(e) => e.preventDefault()}>
        <Top review={review} />
        {review.codes.map((c) => (
          <Reason code={c.code} />
        ))}
        <ol>
          {review.fields.map((f) => (
            <Row field={f} picture={picture.value} active={active.value === f.name} focus={() => (active.value = f.name)} blurred={blurred.value.includes(f.name)}
              toggle={() => toggle(f.name)} value={typed.value[f.name] ?? f.value} type={(v) => (typed.value = { ...typed.value, [f.name]: v })} />
          ))}
        </ol>
        <Others review={review} />
        {failed.value !== null && <Trouble error={failed.value} />}
        <Verbs review={review} busy={busy.value} finish={() => void finish()} decide={(b) => void decide(b)} />
        <p class="hint">{t("review.keys")}</p>
      </form>
    </div>
  );
}

interface RowProps {
  field: ReviewField;
  picture: HTMLImageElement | null;
  active: boolean;
  blurred: boolean;
  value: string;
  focus: () => void;
  toggle: () => void;
  type: (v: string) => void;
}

function Row({ field, picture, active, blurred, value, focus, toggle, type }: RowProps) {
  const changed = value.trim() !== field.value;
  return (
    <li class={["field", active && "active", field.codes.length > 0 && "doubt", changed && "changed"].filter(Boolean).join(" ")}>
      {field.quad && <Crop quad={field.quad} picture={picture} label={named("field", field.name)} />}
      <label>
        <span>
          {named("field", field.name)}
          {field.derived_from.length > 0 && <small class="tag">{t("review.derived")}</small>}
          {changed && <small class="tag">{t("review.changed")}</small>}
        </span>
        <input
          data-field={field.name}
          name={field.name}
          value={value}
          readOnly={blurred} // and not disabled, from which no key would come any more
          dir={/^[\d -]*$/.test(value) ? "ltr" : "auto"}
          placeholder={field.type === "date" ? "YYYY-MM-DD" : t("review.blank")}
          autocomplete="off"
          spellcheck={false}
          onFocus={focus}
          onInput={(e) => type(e.currentTarget.value)}
        />
      </label>
      <label class="choice">
        <input type="checkbox" tabIndex={-1} checked={blurred} onChange={toggle} />
        <span>{t("review.blurred")}</span>
      </label>
      {field.codes.map((c) => (
        <Reason code={c.code} />
      ))}
    </li>
  );
}

// cropHeight is that of a crop on the page, in pixels of the screen.
const cropHeight = 44;

// Crop draws the place of a field upright, from the picture that is there already.
function Crop({ quad, picture, label }: { quad: Point[]; picture: HTMLImageElement | null; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const c = canvas.current?.getContext("2d");
    const [a, b, , d] = quad;
    if (!c || !picture || !a || !b || !d) return;
    const along = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const down = Math.hypot(d[0] - a[0], d[1] - a[1]);
    if (along < 1 || down < 1) return;
    const margin = down * 0.3;
    const scale = (cropHeight * 2) / (down + 2 * margin);
    c.canvas.width = Math.min(1600, Math.round((along + 2 * margin) * scale));
    c.canvas.height = cropHeight * 2;
    const [ux, uy, vx, vy] = [(b[0] - a[0]) / along, (b[1] - a[1]) / along, (d[0] - a[0]) / down, (d[1] - a[1]) / down];
    const turn = ux * vy - uy * vx;
    if (Math.abs(turn) < 1e-3) return;
    // The inverse of the map from the crop to the picture.
    const [ix, iy, jx, jy] = [(vy / turn) * scale, (-uy / turn) * scale, (-vx / turn) * scale, (ux / turn) * scale];
    c.setTransform(ix, iy, jx, jy, margin * scale - (a[0] * ix + a[1] * jx), margin * scale - (a[0] * iy + a[1] * jy));
    c.drawImage(picture, 0, 0);
  }, [picture]);
  return <canvas ref={canvas} role="img" aria-label={t("review.crop", { field: label })} dir="ltr" />;
}

// Faces asks whether they are one person's, and a living one's.
function Faces({ review, urls }: { review: Shown; urls: string[] }) {
  const answered = review.match ?? review.liveness;
  const same = useSignal(answered?.isMatched ?? false);
  const living = useSignal(review.liveness?.isLive ?? true);
  const { failed, busy, decide } = useDecide(review.id);
  const main = useRef<HTMLDivElement>(null);
  useEffect(() => main.current?.focus(), []);
  const finish = () => {
    const changed = same.value !== answered?.isMatched || (review.liveness !== null && living.value !== review.liveness.isLive);
    const all = review.liveness ? { same_person: same.value, living: living.value } : { same_person: same.value };
    return decide(changed ? { verdict: "corrected", ...all } : { verdict: "confirmed" });
  };
  const keys = (e: KeyboardEvent) => {
    const act: Record<string, () => void> = {
      Enter: () => void finish(),
      "1": () => (same.value = !same.value),
      "2": () => (living.value = !living.value),
      F4: () => void decide({ verdict: "unreadable" }),
    };
    const step = act[e.key];
    if (!step || (e.key === "Enter" && e.target instanceof HTMLButtonElement)) return;
    e.preventDefault();
    step();
  };
  return (
    <div ref={main} class="card reviewed faces" tabIndex={-1} onKeyDown={keys}>
      <Top review={review} />
      <div class="frames">
        {urls.map((u) => (
          <img src={u} alt={t("try.picture")} />
        ))}
      </div>
      <Question name="review.same" value={same.value} choose={(v) => (same.value = v)} />
      {review.liveness && <Question name="review.living" value={living.value} choose={(v) => (living.value = v)} />}
      <Others review={review} />
      {failed.value !== null && <Trouble error={failed.value} />}
      <Verbs review={review} busy={busy.value} finish={() => void finish()} decide={(b) => void decide(b)} />
      <p class="hint">{t("review.keys.faces")}</p>
    </div>
  );
}

function Question({ name, value, choose }: { name: Name; value: boolean; choose: (v: boolean) => void }) {
  const choices = [
    { value: "yes", label: t("review.yes") },
    { value: "no", label: t("review.no") },
  ];
  return (
    <div class="question">
      <strong>{t(name)}</strong>
      <Tabs label={t(name)} choices={choices} value={value ? "yes" : "no"} choose={(v) => choose(v === "yes")} />
    </div>
  );
}

interface VerbsProps {
  review: Shown;
  busy: boolean;
  finish: () => void;
  decide: (body: object) => void;
}

function Verbs({ review, busy, finish, decide }: VerbsProps) {
  const asking = useSignal(false);
  const erase = async () => {
    await call(`/v1/review/${review.id}`, { method: "DELETE" });
    next();
  };
  return (
    <footer class="verbs">
      <Button kind="main" icon="circle-check" disabled={busy} onClick={finish}>
        {t("review.confirm")}
      </Button>
      <Button icon="eye" disabled={busy} onClick={() => decide({ verdict: "unreadable" })}>
        {t("review.unreadable")}
      </Button>
      {review.fields.length > 0 && (
        <Button icon="id-card" disabled={busy} onClick={() => decide({ verdict: "other_document" })}>
          {t("review.other")}
        </Button>
      )}
      <Button kind="quiet" disabled={busy} onClick={next}>
        {t("review.skip")}
      </Button>
      <Button kind="danger" icon="trash-2" label={t("review.erase")} disabled={busy} onClick={() => (asking.value = true)} />
      {asking.value && (
        <Dialog title={t("review.erase")} close={() => (asking.value = false)}>
          <p>{t("review.erase.text")}</p>
          <div class="row">
            <Button onClick={() => (asking.value = false)}>{t("cancel")}</Button>
            <Button kind="danger" onClick={() => void erase()}>
              {t("review.erase")}
            </Button>
          </div>
        </Dialog>
      )}
    </footer>
  );
}
