// The texts of the pages in both languages, and how numbers and times are written in them.
import { signal } from "@preact/signals";
import ar from "./text/ar.json";
import en from "./text/en.json";

export type Language = "ar" | "en";
export type Name = keyof typeof en;

const catalogues: Record<Language, Record<string, string>> = { ar, en };

function first(): Language {
  const kept = remembered();
  if (kept === "ar" || kept === "en") return kept;
  return navigator.languages.some((l) => l.startsWith("ar")) ? "ar" : "en";
}

function remembered(): string | null {
  try {
    return localStorage.getItem("bawab.language");
  } catch {
    return null; // a browser that keeps nothing asks the person's languages each time
  }
}

export const language = signal<Language>(first());

// speak goes over to a language, and the whole page with it. The choice is kept unless many people share the browser.
export function speak(l: Language, keep = true): void {
  language.value = l;
  document.documentElement.lang = l;
  document.documentElement.dir = l === "ar" ? "rtl" : "ltr";
  if (!keep) return;
  try {
    localStorage.setItem("bawab.language", l);
  } catch {
    // it holds for this page alone
  }
}

// has reports whether there is a text of this name.
export function has(name: string): boolean {
  return name in catalogues.en;
}

// t returns a text with its blanks filled in.
export function t(name: Name, blanks: Record<string, string | number> = {}): string {
  const text = catalogues[language.value][name] ?? catalogues.en[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (_, blank: string) => String(blanks[blank] ?? ""));
}

// named returns the text of a prefix and a name that came from the appliance, else the name itself.
export function named(prefix: string, name: string): string {
  const full = `${prefix}.${name}`;
  return has(full) ? t(full as Name) : name;
}

const locale = () => (language.value === "ar" ? "ar-EG-u-nu-latn" : "en-GB");

export function clock(iso: string): string {
  return new Date(iso).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

export function moment(iso: string | null): string {
  return iso === null ? t("keys.never") : new Date(iso).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

export function bytes(n: number): string {
  const mega = n / (1 << 20);
  return mega >= 1 ? t("size.mega", { n: Number(mega.toFixed(mega < 10 ? 1 : 0)) }) : t("size.kilo", { n: Math.max(1, Math.round(n / 1024)) });
}
