// The kiosk: one step a screen, for the customer at the touch screen. The appliance holds the flow; this page only shows where it stands,
// and keeps nothing: what it shows ends with the step.
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "./api";
import { ask, leave, setup, type Setup, type View } from "./kiosk/ask";
import { Big, Languages, onAccent, own, Title } from "./kiosk/parts";
import { tone } from "./kiosk/sound";
import { Looking } from "./kiosk/steps";
import { Icon, type IconName, Mark } from "./parts";
import { grouped } from "./rooms/result";
import { language, named, speak, type Name, t } from "./text";

const view = signal<View | null>(null); // null: the welcome
const ends = signal(0); // when the step ends, by the page's clock
const left = signal(0);
const offline = signal(false);

// asked is how long before its end a step asks whether somebody is still there.
const asked = 10000;

function show(v: View | null) {
  offline.value = false;
  if (v?.step === "welcome") v = null;
  const over = v?.step === "done" || v?.step === "colleague";
  if (over && view.value?.step !== v?.step) tone(v?.step === "done" ? 1046 : 440);
  ends.value = performance.now() + (over ? (setup.value?.last_ms ?? 15000) : (v?.left_ms ?? 0));
  left.value = ends.value - performance.now();
  view.value = v;
}

// home goes back to the welcome, in the language that greets.
function home() {
  show(null);
  const first = setup.value?.languages[0];
  if (first) speak(first, false);
}

// lost says what a failed request means for the page: a check that has ended, a screen that is not let in any more, or no connection.
function lost(e: unknown) {
  if (!(e instanceof Refused)) offline.value = true;
  else if (e.code === 401) void open();
  else if (e.code === 4101 || e.code === 4103 || e.code === 400) home();
}

async function go(path: string, body: object) {
  try {
    show(await ask<View>(path, { run: view.value?.run, ...body }));
  } catch (e) {
    lost(e);
  }
}

function stop(why: string) {
  const run = view.value?.run;
  home();
  if (run) void ask("stop", { run, why }).catch(() => undefined); // the appliance ends it in time by itself
}

function tick() {
  if (!view.value) return;
  left.value = ends.value - performance.now();
  if (left.value > 0) return;
  if (view.value.step === "done" || view.value.step === "colleague") home();
  else stop("timed_out");
}

async function open() {
  try {
    const s = await ask<Setup>("open", {});
    offline.value = false;
    const first = !setup.value;
    setup.value = s;
    if (first || !s.languages.includes(language.value)) speak(s.languages[0] ?? "ar", false);
    if (!s.code) show(null);
  } catch (e) {
    offline.value = !(e instanceof Refused);
  }
}

const kindIcons: Record<string, IconName> = { national_id: "id-card", passport: "book-open", driving_license: "car" };

function Welcome({ kinds }: { kinds: string[] }) {
  return (
    <div class="welcome">
      <Title>{own("welcome")}</Title>
      <p>{kinds.length > 1 ? t("kiosk.choose") : t("kiosk.begin.text")}</p>
      <div class="kinds">
        {kinds.map((k) => (
          <Big kind="main" icon={kindIcons[k]} onClick={() => void go("begin", { kind: k })}>
            {kinds.length > 1 ? t(`kiosk.kind.${k}` as Name) : t("kiosk.begin")}
          </Big>
        ))}
      </div>
    </div>
  );
}

// hidden is the list of values while the last of them was not in sight yet: nobody confirms what he could not see.
const hidden = signal<HTMLElement | null>(null);

function Checked({ of: v }: { of: View }) {
  const list = useRef<HTMLDListElement>(null);
  useEffect(() => {
    const dl = list.current;
    if (!dl) return;
    const look = () => (hidden.value = dl.scrollTop + dl.clientHeight < dl.scrollHeight - 2 ? dl : null);
    const sizes = new ResizeObserver(look);
    for (const e of [dl, ...dl.children]) sizes.observe(e);
    dl.addEventListener("scroll", look);
    return () => {
      sizes.disconnect();
      hidden.value = null;
    };
  }, []);
  return (
    <div class="checked">
      <Title>{t("kiosk.check")}</Title>
      <dl tabIndex={0} ref={list}>
        {v.fields.map((f) => {
          const parts = grouped(f.name, f.value);
          return (
            <div>
              <dt>{named("field", f.name)}</dt>
              <dd>
                <bdi dir={parts.length > 1 ? "ltr" : undefined}>{parts.join(" ")}</bdi>
              </dd>
            </div>
          );
        })}
      </dl>
      {v.fields.length === 0 && <p>{t("kiosk.check.none")}</p>}
      {hidden.value && (
        <Big icon="arrow-down" onClick={() => hidden.value?.scrollBy({ top: hidden.value.clientHeight * 0.8 })}>
          {t("kiosk.more")}
        </Big>
      )}
    </div>
  );
}

// Answers stand beside the button that stops, so that the values have the whole screen.
function Answers() {
  return (
    <div class={hidden.value ? "answers hidden" : "answers"}>
      <Big kind="main" icon="circle-check" onClick={() => void go("confirm", { right: true })}>
        {t("kiosk.right")}
      </Big>
      <Big onClick={() => void go("confirm", { right: false })}>{t("kiosk.wrong")}</Big>
    </div>
  );
}

function Last({ of: v }: { of: View }) {
  const good = v.step === "done";
  return (
    <div class={`last ${good ? "good" : "look"}`}>
      <Icon name={good ? "circle-check" : "user-round"} />
      <Title>{own(good ? "done" : "colleague")}</Title>
      <p>
        {t("kiosk.reference")} <bdi class="reference">{v.reference.toUpperCase()}</bdi>
      </p>
    </div>
  );
}

function Waiting({ code }: { code: string }) {
  useEffect(() => {
    const again = setInterval(() => void open(), 3000);
    return () => clearInterval(again);
  }, []);
  return (
    <div class="pairing">
      <Title>{t("kiosk.pair")}</Title>
      <p class="code" dir="ltr">
        {code.slice(0, 4)}-{code.slice(4)}
      </p>
      <p>{t("kiosk.pair.text")}</p>
    </div>
  );
}

// StillThere asks before a step ends: who needs longer gets it.
function StillThere() {
  return (
    <div class="still" role="alertdialog" aria-modal="true" aria-labelledby="still">
      <div>
        <h2 id="still">{t("kiosk.still")}</h2>
        <p class="count" aria-hidden="true">
          {Math.max(1, Math.ceil(left.value / 1000))}
        </p>
        <Big first kind="main" onClick={() => void go("stay", {})}>
          {t("kiosk.still.yes")}
        </Big>
      </div>
    </div>
  );
}

const order = ["front", "back", "check", "face"];

// Way shows how far the check is, by marks and to screen readers in words.
function Way({ at, kind }: { at: string; kind: string }) {
  const steps = order.filter((s) => s === "front" || (setup.value?.steps.includes(s) && (s !== "back" || kind === "national_id")));
  const here = steps.indexOf(at);
  if (here < 0) return null;
  return (
    <div class="way" role="img" aria-label={t("kiosk.way", { n: here + 1, of: steps.length })}>
      {steps.map((_, i) => (
        <i class={i < here ? "past" : i === here ? "now" : ""} />
      ))}
    </div>
  );
}

function Shown({ s, v }: { s: Setup; v: View | null }) {
  if (s.code) return <Waiting code={s.code} />;
  if (!v) return <Welcome key={language.value} kinds={s.kinds} />;
  if (v.step === "check") return <Checked of={v} />;
  if (v.step === "done" || v.step === "colleague") return <Last of={v} />;
  return <Looking key={v.run + v.step} view={v} next={show} lost={lost} />;
}

function Foot({ v }: { v: View }) {
  const over = v.step === "done" || v.step === "colleague";
  return (
    <footer>
      {v.step === "check" && <Answers />}
      {over ? (
        <Big first onClick={home}>
          {t("kiosk.finish")}
        </Big>
      ) : (
        <Big icon="x" onClick={() => stop("stopped")}>
          {t("kiosk.stop")}
        </Big>
      )}
    </footer>
  );
}

function Kiosk() {
  const s = setup.value;
  const v = view.value;
  useEffect(() => {
    document.title = own("title");
  });
  if (!s) return <div class="kiosk bare">{offline.value && <p role="alert">{t("kiosk.offline")}</p>}</div>;
  const ask10 = v !== null && v.step !== "done" && v.step !== "colleague" && left.value < asked;
  return (
    <div class="kiosk">
      <header>
        {s.logo ? <img src="/kiosk/logo" alt="" /> : <Mark />}
        <strong>{own("title")}</strong>
        {v && <Way at={v.step} kind={v.kind} />}
        <Languages />
      </header>
      <main>
        {offline.value && (
          <p class="offline" role="alert">
            {t("kiosk.offline")}
          </p>
        )}
        <Shown s={s} v={v} />
      </main>
      {v && <Foot v={v} />}
      {ask10 && <StillThere />}
    </div>
  );
}

// dress gives the page the operator's looks.
effect(() => {
  const s = setup.value;
  if (!s) return;
  const root = document.documentElement.style;
  root.setProperty("color-scheme", s.scheme);
  root.setProperty("--accent", s.accent);
  root.setProperty("--on-accent", onAccent(s.accent));
});

setInterval(tick, 250);
addEventListener("keydown", (e) => {
  if (e.key === "Escape" && view.value) stop("stopped");
});
addEventListener("pagehide", () => view.value?.run && leave(view.value.run));
// A page that a browser shows again from its memory holds nothing of the customer before.
addEventListener("pageshow", (e) => {
  if (!e.persisted) return;
  home();
  void open();
});
addEventListener("contextmenu", (e) => e.preventDefault());
speak("ar", false);
void open();
const retry = setInterval(() => {
  if (!setup.value || offline.value) void (view.value ? go("stay", {}) : open());
}, 3000);
addEventListener("pagehide", () => clearInterval(retry));
const page = document.getElementById("page");
if (page) render(<Kiosk />, page);
