// Small parts of the kiosk's page.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "../parts";
import { language, speak, t } from "../text";
import { setup } from "./ask";

// Title is the heading of a screen. It takes the focus, so that a screen reader begins with it.
export function Title({ children }: { children: ComponentChildren }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <h1 tabIndex={-1} ref={head}>
      {children}
    </h1>
  );
}

interface BigProps {
  icon?: IconName;
  kind?: "main" | "quiet";
  onClick: () => void;
  first?: boolean;
  children: ComponentChildren;
}

export function Big({ icon, kind, onClick, first, children }: BigProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => void (first && button.current?.focus()), []);
  return (
    <button type="button" ref={button} class={`big ${kind ?? ""}`} onClick={onClick}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

// own is the operator's own sentence, or the page's.
export function own(name: "title" | "welcome" | "done" | "colleague"): string {
  return setup.value?.text[language.value]?.[name] || t(`kiosk.${name}`);
}

export function Languages() {
  const others = (setup.value?.languages ?? []).filter((l) => l !== language.value);
  return (
    <>
      {others.map((l) => (
        <button type="button" class="big quiet language" lang={l} onClick={() => speak(l, false)}>
          {t("lang.other")}
        </button>
      ))}
    </>
  );
}

// onAccent is the colour of text on the operator's accent: black or white, whichever is easier to read.
export function onAccent(accent: string): string {
  const linear = (at: number) => {
    const v = Number.parseInt(accent.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  const light = 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? "#ffffff" : "#000000";
}
