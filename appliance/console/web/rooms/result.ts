// What an answer holds, in the shape in which the pages show it.
import type { Envelope } from "../api";
import { named } from "../text";
import type { Place, Point } from "./stage";

export interface Field {
  id: string;
  name: string;
  value: string;
  confidence: number | null;
  codes: number[];
  quad: Point[] | null;
  derived: string[];
}

export interface Cue {
  name: string;
  score: number;
  threshold: number;
}

export interface Card {
  id: string;
  kind: string;
  fake: boolean;
  fields: Field[];
  whole: number[]; // codes about the whole document
  cues: Cue[];
  advice: string;
  quad: Point[] | null;
}

const ids = ["transaction_id", "client_transaction_id", "request_id"];

// cardsOf reads the documents of an answer to any of the endpoints that read documents.
export function cardsOf(answer: Envelope): Card[] {
  const several = answer.data?.results;
  if (Array.isArray(several)) return several.map((r, i) => cardOf(r.data, r.Services, `d${i}`));
  if (Array.isArray(answer.data?.lines)) return [];
  return [cardOf(answer.data, answer.Services, "d0")];
}

export function cardOf(data: any, services: any, id: string): Card {
  const evidence = services?.evidence;
  const errors: any[] = services?.Validations?.validation_errors ?? [];
  const codes = (field: string): number[] => errors.filter((e) => e.field === field).flatMap((e) => e.errors.map((c: any) => c.code));
  const fields = Object.keys(data)
    .filter((name) => !ids.includes(name) && typeof data[name] !== "boolean")
    .map((name): Field => {
      const seen = evidence?.fields?.[name];
      return {
        id: `${id}.${name}`,
        name,
        value: data[name] ?? "",
        confidence: seen && data[name] ? seen.confidence : null,
        codes: codes(name),
        quad: seen?.quad ?? null,
        derived: seen?.derived_from ?? [],
      };
    });
  return {
    id,
    kind: services?.classification?.doc_type ?? "unknown",
    fake: services?.spoofing?.fake ?? false,
    fields,
    whole: codes(""),
    cues: evidence?.cues ?? [],
    advice: evidence?.capture?.advice ?? "",
    quad: evidence?.document?.quad ?? null,
  };
}

export interface Line {
  id: string;
  text: string;
  confidence: number | null;
  quad: Point[] | null;
}

export function linesOf(answer: Envelope): Line[] | null {
  const lines = answer.data?.lines;
  if (!Array.isArray(lines)) return null;
  const seen = answer.Services?.evidence?.lines ?? [];
  return lines.map((l: any, i: number) => ({ id: `l${i}`, text: l.text, confidence: seen[i]?.confidence ?? null, quad: seen[i]?.quad ?? null }));
}

// placesOf lists what is outlined on the picture. A field that follows from another one is shown at the other's place.
export function placesOf(answer: Envelope, active: string): Place[] {
  const places: Place[] = [];
  for (const card of cardsOf(answer)) {
    if (card.quad) places.push({ id: card.id, label: named("kind", card.kind), quad: card.quad, tone: "document" });
    for (const f of card.fields) {
      const tone = f.codes.length > 0 ? "doubt" : "field";
      if (f.quad) places.push({ id: f.id, label: named("field", f.name), quad: f.quad, tone });
      if (f.quad || f.id !== active) continue;
      for (const source of card.fields) {
        if (source.quad && f.derived.includes(source.name)) places.push({ id: f.id, label: named("field", f.name), quad: source.quad, tone });
      }
    }
  }
  for (const l of linesOf(answer) ?? []) if (l.quad) places.push({ id: l.id, label: l.text, quad: l.quad, tone: "field" });
  return places;
}

// grouped writes a national number in groups that people compare by eye: century, birth date, governorate, serial, check digit.
export function grouped(name: string, value: string): string[] {
  const parts = /^(\d)(\d{6})(\d{2})(\d{4})(\d)$/.exec(value);
  return parts && (name === "idNumber" || name === "nationalID") ? parts.slice(1) : [value];
}
