// What a room asks for when it is entered, and again when it is told to, or when the page goes over to another language: answers have
// texts in it.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../api";
import { language } from "../text";

export function useAnswer<T>(path: string): { found: Signal<T | null>; error: Signal<unknown>; load: () => Promise<void> } {
  const found = useSignal<T | null>(null);
  const error = useSignal<unknown>(null);
  const load = async () => {
    error.value = null;
    try {
      found.value = (await call(path)).data;
    } catch (e) {
      error.value = e;
    }
  };
  useEffect(() => void load(), [language.value]);
  return { found, error, load };
}
