// A short tone where the operator wants one.
import { setup } from "./ask";

let audio: AudioContext | undefined;

export function tone(hertz: number): void {
  if (!setup.value?.sound) return;
  audio ??= new AudioContext();
  const wave = audio.createOscillator();
  const level = audio.createGain();
  const now = audio.currentTime;
  wave.frequency.value = hertz;
  level.gain.setValueAtTime(0.15, now);
  level.gain.exponentialRampToValueAtTime(0.001, now + 0.25);
  wave.connect(level).connect(audio.destination);
  wave.start(now);
  wave.stop(now + 0.25);
}
