// Small parts that every room uses.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { h } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "./api";
import { outlines } from "./outlines";
import { has, language, type Name, named, speak, t } from "./text";

export type IconName = keyof typeof outlines;

export function Icon({ name, flip }: { name: IconName; flip?: boolean }) {
  const parts = outlines[name].map(([tag, attributes]) => h(tag as any, attributes as any));
  return (
    <svg class={flip ? "icon flip" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      {parts}
    </svg>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 25V13a7 7 0 0 1 14 0v12M6.5 25h19" fill="none" stroke="var(--on-accent)" stroke-width="2.6" stroke-linecap="round" />
      <circle cx="19" cy="18.5" r="1.6" fill="var(--on-accent)" />
    </svg>
  );
}

interface ButtonProps {
  icon?: IconName;
  kind?: "main" | "quiet" | "danger";
  onClick?: () => void;
  disabled?: boolean;
  submit?: boolean;
  label?: string;
  children?: ComponentChildren;
}

export function Button({ icon, kind, onClick, disabled, submit, label, children }: ButtonProps) {
  return (
    <button type={submit ? "submit" : "button"} class={`button ${kind ?? ""}`} onClick={onClick} disabled={disabled} aria-label={label} title={label}>
      {icon && <Icon name={icon} flip={icon === "arrow-right" || icon === "log-out"} />}
      {children && <span>{children}</span>}
    </button>
  );
}

export type Tone = "good" | "look" | "bad" | "plain";

const toneIcons: Record<Tone, IconName> = { good: "circle-check", look: "triangle-alert", bad: "circle-x", plain: "info" };

// What stands in Latin letters within a text of the appliance: a command in backticks, or words, names, paths and numbers in a row. A
// bracket ends the row: it belongs to the Arabic around it.
const latin = /(`[^`]+`|(?:\.{0,2}\/|[A-Za-z0-9~])(?:[!-'*-~ ]*[A-Za-z0-9/%*])?)/;

// Told is a text of the appliance in the page's language. In Arabic its commands, paths and names run from left to right each by itself.
export function Told({ text }: { text: string }) {
  if (language.value !== "ar") return <bdi>{text}</bdi>;
  return <span dir="auto">{text.split(latin).map((part, i) => (i % 2 ? <bdi dir="ltr">{part}</bdi> : part))}</span>;
}

// Facts lists names with their values.
export function Facts({ of }: { of: [string, string][] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

// State says how something is by a shape and a word; the colour only repeats it.
export function State({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`state ${tone}`}>
      <Icon name={toneIcons[tone]} />
      <span>{children}</span>
    </span>
  );
}

export function Notice({ tone, title, children }: { tone: Tone; title?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={toneIcons[tone]} />
      <div>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
    </div>
  );
}

// Trouble says what went wrong in plain words, with the way out.
export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  const code = error instanceof Refused ? error.code : 0;
  const known = has(`code.${code}`);
  const title = known ? t(`code.${code}` as Name) : t("try.offline");
  return (
    <Notice tone="bad" title={title}>
      {known && <p>{t(`way.${code}` as Name)}</p>}
      {error instanceof Refused && (
        <p class="said" dir="auto">
          <bdi>{error.code}</bdi> · {error.message}
        </p>
      )}
      {retry && (
        <p>
          <Button icon="rotate-ccw" onClick={retry}>
            {t("retry")}
          </Button>
        </p>
      )}
    </Notice>
  );
}

export function CopyButton({ text }: { text: string }) {
  const done = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    done.value = true;
    setTimeout(() => (done.value = false), 2000);
  };
  return (
    <Button icon={done.value ? "circle-check" : "copy"} kind="quiet" onClick={() => void copy().catch(() => (done.value = false))}>
      {done.value ? t("copied") : t("copy")}
    </Button>
  );
}

// Code shows what is to be copied; short is one line beside the button.
export function Code({ text, short }: { text: string; short?: boolean }) {
  return (
    <div class={short ? "code short" : "code"} dir="ltr">
      <CopyButton text={text} />
      <pre tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}

interface Choice<T extends string> {
  value: T;
  label: string;
}

interface TabsProps<T extends string> {
  label: string;
  choices: Choice<T>[];
  value: T;
  choose: (v: T) => void;
}

export function Tabs<T extends string>({ label, choices, value, choose }: TabsProps<T>) {
  const step = (e: KeyboardEvent) => {
    const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    const at = choices.findIndex((c) => c.value === value) + (e.key === forward ? 1 : -1);
    const next = choices[(at + choices.length) % choices.length];
    if (next) choose(next.value);
    const list = e.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
      {choices.map((c) => (
        <button type="button" role="tab" aria-selected={c.value === value} tabIndex={c.value === value ? 0 : -1} onClick={() => choose(c.value)}>
          {c.label}
        </button>
      ))}
    </div>
  );
}

export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog ref={box} onClose={close} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

export function LanguageSwitch() {
  const other = language.value === "ar" ? "en" : "ar";
  return (
    <button type="button" class="button quiet language" lang={other} title={t("lang.switch")} onClick={() => speak(other)}>
      <Icon name="languages" />
      <span>{t("lang.other")}</span>
    </button>
  );
}

export function scopeText(scope: string): string {
  return named("scope", scope);
}
