// The answer as a form: each document with its fields, what to compare, and the signs of fraud.
import type { Signal } from "@preact/signals";
import type { Envelope } from "../api";
import { Notice, State } from "../parts";
import { has, language, type Name, named, t } from "../text";
import { type Card, cardsOf, type Cue, type Field, grouped, linesOf } from "./result";

// Reason is a code in plain words with the way out.
export function Reason({ code }: { code: number }) {
  if (!has(`code.${code}`)) return <p class="reason">{code}</p>;
  return (
    <p class="reason">
      <State tone={code === 3301 || code === 3305 ? "look" : "bad"}>{t(`code.${code}` as Name)}</State> {t(`way.${code}` as Name)}{" "}
      <small dir="ltr">{code}</small>
    </p>
  );
}

function Sure({ confidence }: { confidence: number }) {
  const percent = Math.floor(confidence * 100);
  return (
    <span class="sure" title={t("form.sure", { p: percent })}>
      <meter min={0} max={1} low={0.8} high={0.95} optimum={1} value={confidence} aria-label={t("form.sure", { p: percent })} />
      <small>{percent}</small>
    </span>
  );
}

// shown is a value as people say it: the API's own words for the sex are English.
function shown(field: Field): string {
  return field.name === "gender" ? named("value", field.value) : field.value;
}

function FieldRow({ field, active }: { field: Field; active: Signal<string> }) {
  const derived = field.derived.map((f) => named("field", f)).join(language.value === "ar" ? "، " : ", ");
  return (
    <div
      class={active.value === field.id ? "field active" : "field"}
      tabIndex={0}
      data-field={field.name}
      data-place={field.id}
      onPointerEnter={() => (active.value = field.id)}
      onPointerLeave={() => (active.value = "")}
      onFocus={() => (active.value = field.id)}
      onBlur={() => (active.value = "")}
    >
      <dt title={field.name}>{named("field", field.name)}</dt>
      <dd>
        {field.value === "" ? (
          <span class="unread">{t("form.unread")}</span>
        ) : (
          <span class="value" dir={/^[\d -]+$/.test(field.value) ? "ltr" : "auto"}>
            {grouped(field.name, shown(field)).map((g) => (
              <span class="group">{g}</span>
            ))}
          </span>
        )}
        {field.confidence !== null && <Sure confidence={field.confidence} />}
        {derived && <small class="derived">{t("form.derived", { from: derived })}</small>}
        {field.codes.map((c) => (
          <Reason code={c} />
        ))}
      </dd>
    </div>
  );
}

function CueRow({ cue }: { cue: Cue }) {
  const raised = cue.threshold > 0 && cue.score >= cue.threshold;
  const name = has(`cue.${cue.name}`) ? t(`cue.${cue.name}` as Name) : t("cue.other", { name: cue.name });
  return (
    <li class={raised ? "cue raised" : "cue"}>
      <span>{name}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="rail" width="100" height="8" rx="4" />
        <rect class="score" width={Math.max(2, Math.min(1, cue.score) * 100)} height="8" rx="4" />
        {cue.threshold > 0 && <rect class="limit" x={Math.min(98.6, cue.threshold * 100)} width="1.4" height="8" />}
      </svg>
      <small>{raised ? t("form.cue.raised") : t("form.cue.below")}</small>
    </li>
  );
}

function Verdict({ card }: { card: Card }) {
  const doubted = card.fields.filter((f) => f.codes.length > 0).length;
  if (card.fake) return <State tone="bad">{t("form.fake")}</State>;
  if (doubted + card.whole.length > 0) return <State tone="look">{t("form.compare", { n: doubted + card.whole.length })}</State>;
  return <State tone="good">{t("form.good")}</State>;
}

export function CardForm({ card, active }: { card: Card; active: Signal<string> }) {
  return (
    <section class="document">
      <header>
        <h2>{named("kind", card.kind)}</h2>
        <Verdict card={card} />
      </header>
      {card.whole.map((c) => (
        <Reason code={c} />
      ))}
      <dl>
        {card.fields.map((f) => (
          <FieldRow field={f} active={active} />
        ))}
      </dl>
      {card.advice && (
        <Notice tone="plain" title={t("form.advice")}>
          <span dir="auto">{card.advice}</span>
        </Notice>
      )}
      {card.cues.length > 0 && (
        <details open>
          <summary>{t("form.cues")}</summary>
          <p class="hint">{t("form.cues.text")}</p>
          <ul class="cues">
            {card.cues.map((c) => (
              <CueRow cue={c} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

export function Form({ answer, active }: { answer: Envelope; active: Signal<string> }) {
  const lines = linesOf(answer);
  if (lines) {
    if (lines.length === 0) return <Notice tone="look" title={t("try.nothing")} />;
    return (
      <ol class="lines">
        {lines.map((l) => (
          <li
            class={active.value === l.id ? "active" : ""}
            tabIndex={0}
            data-place={l.id}
            onPointerEnter={() => (active.value = l.id)}
            onPointerLeave={() => (active.value = "")}
            onFocus={() => (active.value = l.id)}
            onBlur={() => (active.value = "")}
          >
            <span dir="auto">{l.text}</span>
            {l.confidence !== null && <Sure confidence={l.confidence} />}
          </li>
        ))}
      </ol>
    );
  }
  return (
    <>
      {cardsOf(answer).map((card) => (
        <CardForm key={card.id} card={card} active={active} />
      ))}
    </>
  );
}
