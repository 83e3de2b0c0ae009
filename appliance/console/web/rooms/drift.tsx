// The room Drift: what has become worse than it was here, and every share that is watched, day by day.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, session } from "../api";
import { Button, Dialog, Notice, State, Trouble } from "../parts";
import { has, language, moment, type Name, named, t } from "../text";

interface Day {
  date: string;
  documents: number;
  hits: number;
}

interface Series {
  id: string;
  kind: string;
  measure: "empty" | "doubted" | "code" | "refused" | "reason";
  of: string;
  documents: number;
  hits: number;
  learning: boolean;
  alarm: { since: string; documents: number; hits: number; ratio: number; message: string; cause: string[] } | null;
  days: Day[];
}

interface Found {
  kinds: string[];
  alarms: Series[];
  series: Series[];
}

export function Drift() {
  const found = useSignal<Found | null>(null);
  const kind = useSignal("");
  const error = useSignal<unknown>(null);
  const asked = useSignal<Series | null>(null);
  const load = async () => {
    error.value = null;
    try {
      const first: Found = (await call("/v1/drift?days=60")).data;
      kind.value = first.kinds.includes(kind.value) ? kind.value : (first.alarms[0]?.kind ?? first.kinds[0] ?? "");
      found.value = first;
    } catch (e) {
      error.value = e;
    }
  };
  useEffect(() => void load(), [language.value]);
  const alarms = found.value?.alarms ?? [];
  return (
    <div class="room drift">
      <header>
        <div>
          <h1>{t("room.drift")}</h1>
          <p class="lead">{t("drift.lead")}</p>
        </div>
        <span class="space" />
        <Button icon="rotate-ccw" onClick={() => void load()}>
          {t("health.refresh")}
        </Button>
      </header>
      {error.value !== null && <Trouble error={error.value} retry={() => void load()} />}
      {found.value && alarms.length === 0 && <Notice tone="good" title={t("drift.calm")}>{t("drift.calm.text")}</Notice>}
      {alarms.length > 0 && (
        <ul class="mend">
          {alarms.map((s) => (
            <li key={s.id}>
              <State tone="look">
                <strong>{nameOf(s)}</strong>
              </State>
              <p dir="auto">{s.alarm?.message}</p>
              <p>
                <Button onClick={() => (asked.value = s)}>{t("drift.acknowledge")}</Button>{" "}
                {session.value?.scopes.includes("review") && (
                  <a class="button" href={`#review/${s.kind}/${s.alarm?.since ?? ""}`}>
                    {t("drift.pictures")}
                  </a>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      {found.value && found.value.kinds.length > 0 && <Kinds found={found.value} kind={kind} />}
      {asked.value && <Ask series={asked} load={load} />}
    </div>
  );
}

// nameOf says what a series is the share of.
function nameOf(s: Series): string {
  if (s.of === "any") return t("drift.any");
  const of = s.measure === "empty" || s.measure === "doubted" ? named("field", s.of) : ofCode(s);
  return t(`drift.${s.measure}` as Name, { of });
}

// ofCode says a code or a reason with its number or name, which is what a log is searched for.
function ofCode(s: Series): string {
  if (s.of === "not_matched") return t("drift.of.not_matched");
  const text = s.measure === "reason" && Number.isNaN(Number(s.of)) ? `reason.${s.of}` : `code.${s.of}`;
  return has(text) ? `${s.of} · ${t(text as Name)}` : s.of;
}

// Kinds lets one kind be chosen, and shows its series: those with an alarm first, then those with the greatest share.
function Kinds({ found, kind }: { found: Found; kind: Signal<string> }) {
  const share = (s: Series) => s.days.reduce((n, d) => n + d.hits, 0) / Math.max(1, s.days.reduce((n, d) => n + d.documents, 0));
  const rank = (s: Series) => (s.alarm ? 2 : 0) + share(s);
  const shown = found.series.filter((s) => s.kind === kind.value && s.days.length > 0).sort((a, b) => rank(b) - rank(a));
  return (
    <section>
      <label class="choose">
        <span>{t("drift.kind")}</span>
        <select value={kind.value} onChange={(e) => (kind.value = e.currentTarget.value)}>
          {found.kinds.map((k) => (
            <option value={k}>{k === "multi" || k === "general" ? t(`endpoint.ocr/${k}` as Name) : named("kind", k)}</option>
          ))}
        </select>
      </label>
      {shown.length === 0 && <p class="hint">{t("drift.none")}</p>}
      <div class="plots">
        {shown.map((s) => (
          <Plot key={s.id} series={s} />
        ))}
      </div>
    </section>
  );
}

const [width, height, foot] = [320, 96, 16];

// Plot draws the share of each day as a bar, and the baseline as a line across. A table says the same for those who do not see it. Days run
// in the direction of reading.
function Plot({ series }: { series: Series }) {
  const { days } = series;
  const rates = days.map((d) => d.hits / d.documents);
  const before = series.documents > 0 ? series.hits / series.documents : 0;
  const top = Math.min(1, Math.max(0.05, before * 1.2, ...rates));
  const step = width / Math.max(days.length, 14);
  const y = (p: number) => height - foot - (height - foot - 4) * (p / top);
  const rtl = document.documentElement.dir === "rtl";
  const x = (i: number) => (rtl ? width - (i + 1) * step : i * step);
  const since = series.alarm?.since.slice(0, 10) ?? "";
  const last = days[days.length - 1];
  const summary = t("drift.summary", { name: nameOf(series), before: percent(before), now: percent(rates[rates.length - 1] ?? 0), days: days.length });
  return (
    <figure class={series.alarm ? "card plot risen" : "card plot"}>
      <figcaption>
        <strong>{nameOf(series)}</strong>
        {series.alarm && <State tone="look">{t("drift.times", { ratio: series.alarm.ratio.toFixed(1) })}</State>}
        {series.learning && <span class="tag">{t("drift.learning", { n: series.documents })}</span>}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
        {days.map((d, i) => (
          <rect class={since && d.date >= since ? "bar high" : "bar"} x={x(i) + step * 0.15} width={step * 0.7} y={y(rates[i] ?? 0)} height={Math.max(1, height - foot - y(rates[i] ?? 0))}>
            <title>{`${d.date}: ${d.hits} / ${d.documents}`}</title>
          </rect>
        ))}
        {!series.learning && <line class="before" x1="0" x2={width} y1={y(before)} y2={y(before)} />}
        <text class="mark" x={rtl ? width : 0} y={height - 2} text-anchor="start">
          {days[0]?.date.slice(5)}
        </text>
        {days.length > 7 && last && (
          <text class="mark" x={rtl ? width - days.length * step : days.length * step} y={height - 2} text-anchor="end">
            {last.date.slice(5)}
          </text>
        )}
        <text class="mark" x={rtl ? 0 : width} y="10" text-anchor="end">
          {percent(top)}
        </text>
      </svg>
      <details>
        <summary>{t("drift.table")}</summary>
        <table>
          <thead>
            <tr>
              <th>{t("drift.day")}</th>
              <th>{t("drift.hits")}</th>
              <th>{t("drift.documents")}</th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((d) => (
              <tr>
                <td dir="ltr">{d.date}</td>
                <td>{d.hits}</td>
                <td>{d.documents}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function percent(p: number): string {
  return `${(100 * p).toFixed(p > 0 && p < 0.1 ? 1 : 0)} %`;
}

// Ask makes sure that somebody means it: from then on the share that is now counts as usual.
function Ask({ series, load }: { series: Signal<Series | null>; load: () => Promise<void> }) {
  const failed = useSignal<unknown>(null);
  const whole = useSignal(true);
  const of = series.value;
  if (!of) return null;
  const others = (of.alarm?.cause.length ?? 1) - 1;
  const close = () => (series.value = null);
  const send = async () => {
    failed.value = null;
    try {
      await call("/v1/drift/acknowledge", { method: "POST", body: { series: of.id, cause: whole.value && others > 0 } });
      close();
      await load();
    } catch (e) {
      failed.value = e;
    }
  };
  return (
    <Dialog title={t("drift.acknowledge")} close={close}>
      <p>
        <strong>{nameOf(of)}</strong>
        {of.alarm && ` · ${moment(of.alarm.since)}`}
      </p>
      <p>{t("drift.acknowledge.text")}</p>
      {others > 0 && (
        <label class="choose">
          <input type="checkbox" checked={whole.value} onChange={(e) => (whole.value = e.currentTarget.checked)} />
          <span>{t("drift.cause", { n: others })}</span>
        </label>
      )}
      {failed.value !== null && <Trouble error={failed.value} />}
      <footer>
        <Button onClick={close}>{t("cancel")}</Button>
        <Button kind="main" onClick={() => void send()}>
          {t("drift.acknowledge")}
        </Button>
      </footer>
    </Dialog>
  );
}
