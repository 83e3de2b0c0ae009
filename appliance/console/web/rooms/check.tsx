// The whole check of a person in one transaction: front, back, face, liveness.
import { type Signal, useSignal } from "@preact/signals";
import { base64, call, type Envelope } from "../api";
import { Button, Icon, Notice, State, type Tone, Trouble } from "../parts";
import { type Name, named, t } from "../text";
import { CardForm } from "./form";
import { Choose } from "./one";
import { refusal } from "./picture";
import { type Card, cardOf } from "./result";
import { type Burst, Webcam } from "./webcam";

const steps = ["front", "back", "face", "liveness"] as const;
type Step = (typeof steps)[number];

interface Outcome {
  tone: Tone;
  card?: Card;
  face?: Envelope["data"];
  reasons: string[];
  gaps?: number[];
}

type Outcomes = Partial<Record<Step, Outcome | "skipped">>;

// outcomeOf draws from an answer what a step says of it.
function outcomeOf(step: Step, answer: Envelope): Outcome {
  if (step === "front" || step === "back") {
    const card = cardOf(answer.data, answer.Services, step);
    const doubted = card.whole.length > 0 || card.fields.some((f) => f.codes.length > 0);
    return { tone: card.fake ? "bad" : doubted ? "look" : "good", card, reasons: [] };
  }
  const good = step === "face" ? answer.data.isMatched : answer.data.isLive && answer.data.isMatched;
  return { tone: good ? "good" : "bad", face: answer.data, reasons: answer.data.reasons ?? answer.Services?.evidence?.reasons ?? [] };
}

const paths = { back: "ocr/id/back", face: "ocr/face/match", liveness: "ocr/liveness/multi" };
const fronts = ["ocr/id/front", "ocr/passport", "ocr/driving_license"] as const;

function useCheck() {
  const at = useSignal<Step | "done">("front");
  const front = useSignal<string>("ocr/id/front");
  const id = useSignal<string | null>(null);
  const outcomes = useSignal<Outcomes>({});
  const busy = useSignal(false);
  const error = useSignal<unknown>(null);
  const refused = useSignal("");
  const go = async (pictures: Blob[], gaps?: number[]) => {
    const step = at.value;
    if (step === "done" || busy.value) return;
    busy.value = true;
    error.value = null;
    try {
      const [first, second, third] = await Promise.all(pictures.map(base64));
      const shown = step === "liveness" ? { face_1: first, face_2: second, face_3: third } : { image: first };
      const path = step === "front" ? front.value : paths[step];
      const answer = await call(`/v1/${path}`, { method: "POST", body: { ...shown, transaction_id: id.value, evidence: true } });
      id.value = answer.data.transaction_id;
      outcomes.value = { ...outcomes.value, [step]: { ...outcomeOf(step, answer), gaps } };
    } catch (e) {
      error.value = e;
    } finally {
      busy.value = false;
    }
  };
  const choose = async (files: File[]) => {
    const wanted = at.value === "liveness" ? 3 : 1;
    const reasons = await Promise.all(files.map(refusal));
    refused.value = reasons.find((r) => r !== null) ?? (files.length === wanted ? "" : t("step.three.count"));
    if (!refused.value) await go(files);
  };
  const next = () => {
    if (at.value === "done") return;
    if (!outcomes.value[at.value]) outcomes.value = { ...outcomes.value, [at.value]: "skipped" };
    error.value = null;
    refused.value = "";
    const following = steps[steps.indexOf(at.value) + 1] ?? "done";
    at.value = following === "back" && front.value !== "ocr/id/front" ? "face" : following;
  };
  const restart = () => {
    at.value = "front";
    id.value = null;
    outcomes.value = {};
    error.value = null;
    refused.value = "";
  };
  return { at, front, id, outcomes, busy, error, refused, go, choose, next, restart };
}

type Work = ReturnType<typeof useCheck>;

export function Check() {
  const work = useCheck();
  const at = work.at.value;
  return (
    <div class="check">
      <ol class="steps">
        {[...steps, "done" as const].map((s, i) => (
          <li aria-current={s === at ? "step" : undefined} class={mark(work.outcomes.value, s)}>
            <span class="number">{i + 1}</span>
            <span>{t(`step.${s}`)}</span>
          </li>
        ))}
      </ol>
      {at === "done" ? <Done work={work} /> : <Doing key={at} work={work} at={at} />}
    </div>
  );
}

function mark(outcomes: Outcomes, step: Step | "done"): string {
  const o = step === "done" ? undefined : outcomes[step];
  return o === undefined ? "" : o === "skipped" ? "skipped" : o.tone;
}

function Doing({ work, at }: { work: Work; at: Step }) {
  const o = work.outcomes.value[at];
  const outcome = o === "skipped" ? undefined : o;
  const camera = (b: Burst) => void work.go(b.frames, b.gaps.length > 0 ? b.gaps : undefined);
  return (
    <section class="card step">
      <h2>{t(`step.${at}`)}</h2>
      <p class="lead">{t(`step.${at}.text`)}</p>
      {at === "front" && !outcome && <Kind front={work.front} />}
      {work.refused.value && <Notice tone="bad" title={work.refused.value} />}
      {work.error.value !== null && <Trouble error={work.error.value} />}
      {work.busy.value && <p class="reading">{t("try.reading")}</p>}
      {outcome ? (
        <Shown step={at} outcome={outcome} />
      ) : (
        <>
          <Webcam three={at === "liveness"} busy={work.busy.value} took={camera} />
          <Choose many={at === "liveness"} label={at === "liveness" ? t("step.three") : undefined} take={(f) => void work.choose(f)} />
        </>
      )}
      <footer>
        <Button kind={outcome ? "main" : "quiet"} icon={outcome ? "arrow-right" : undefined} onClick={work.next} disabled={work.busy.value}>
          {outcome ? t("step.next") : t("step.skip")}
        </Button>
      </footer>
    </section>
  );
}

function Kind({ front }: { front: Signal<string> }) {
  return (
    <label class="endpoint">
      <span>{t("step.kind")}</span>
      <select value={front.value} onChange={(e) => (front.value = e.currentTarget.value)}>
        {fronts.map((f) => (
          <option value={f}>{t(`endpoint.${f}` as Name)}</option>
        ))}
      </select>
    </label>
  );
}

export function Shown({ step, outcome }: { step: Step; outcome: Outcome }) {
  const active = useSignal("");
  if (outcome.card) return <CardForm card={outcome.card} active={active} />;
  return <FaceShown live={step === "liveness"} face={outcome.face} reasons={outcome.reasons} gaps={outcome.gaps} />;
}

// FaceShown says what came of a comparison or of a liveness check.
export function FaceShown({ live, face, reasons, gaps }: { live: boolean; face: any; reasons: string[]; gaps?: number[] }) {
  return (
    <div class="verdicts">
      {live && <State tone={face.isLive ? "good" : "bad"}>{face.isLive ? t("face.live") : t("face.notlive")}</State>}
      <State tone={face.isMatched ? "good" : "bad"}>{face.isMatched ? t("face.match") : t("face.nomatch")}</State>
      <p>
        {t("face.similarity")} <bdi class="figure">{face.similarity}</bdi>
        {face.threshold !== undefined && <small> {t("face.threshold", { t: face.threshold })}</small>}
      </p>
      {gaps && <p class="hint">{t("step.gaps", { gaps: gaps.join(", ") })}</p>}
      {reasons.length > 0 && (
        <ul class="reasons">
          {reasons.map((r) => (
            <li>{named("reason", r)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Done({ work }: { work: Work }) {
  const all = steps.map((s) => work.outcomes.value[s]);
  const passport = work.front.value !== "ocr/id/front";
  const good = all.every((o, i) => (passport && i === 1) || (o !== undefined && o !== "skipped" && o.tone === "good"));
  return (
    <section class="card step">
      <Notice tone={good ? "good" : "look"} title={good ? t("done.good") : t("done.bad")}>
        {good ? t("done.good.text") : t("done.bad.text")}
      </Notice>
      <ul class="summary">
        {steps.map((s) => {
          const o = work.outcomes.value[s];
          if (o === undefined) return null;
          const tone = o === "skipped" ? "plain" : o.tone;
          return (
            <li>
              <span>{t(`step.${s}`)}</span>
              <State tone={tone}>{o === "skipped" ? t("done.skipped") : tone === "good" ? t("done.passed") : t("done.look")}</State>
            </li>
          );
        })}
      </ul>
      <footer>
        {work.id.value && (
          <a class="button" href={`#transactions/${work.id.value}`}>
            <Icon name="eye" />
            <span>{t("form.open")}</span>
          </a>
        )}
        <Button kind="main" icon="plus" onClick={work.restart}>
          {t("step.restart")}
        </Button>
      </footer>
    </section>
  );
}
