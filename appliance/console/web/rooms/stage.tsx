// A picture with places outlined on it, which can be made larger and moved.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, Notice } from "../parts";
import { t } from "../text";

export type Point = [x: number, y: number];
export interface Place {
  id: string;
  label: string;
  quad: Point[];
  tone: "document" | "field" | "doubt";
}

interface View {
  scale: number;
  x: number;
  y: number;
}

const whole: View = { scale: 1, x: 0, y: 0 };
const largest = 8;

function bounded(v: View, box: DOMRect): View {
  const scale = Math.min(largest, Math.max(1, v.scale));
  const limit = (offset: number, size: number) => Math.min(0, Math.max(size * (1 - scale), offset));
  return { scale, x: limit(v.x, box.width), y: limit(v.y, box.height) };
}

// Seen is the size of the picture of an address, "none" where the browser cannot show it.
interface Seen {
  url: string;
  size: [number, number] | "none" | null;
}

interface Props {
  url: string;
  places: Place[];
  active: Signal<string>;
  busy: boolean;
}

export function Stage({ url, places, active, busy }: Props) {
  const seen = useSignal<Seen>({ url: "", size: null });
  const view = useSignal<View>(whole);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => void (view.value = whole), [url]);
  const zoom = (factor: number, at?: Point) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return;
    const [px, py] = at ?? [box.width / 2, box.height / 2];
    const v = view.value;
    const scale = Math.min(largest, Math.max(1, v.scale * factor));
    const grown = scale / v.scale;
    view.value = bounded({ scale, x: px - (px - v.x) * grown, y: py - (py - v.y) * grown }, box);
  };
  const v = view.value;
  const size = seen.value.url === url ? seen.value.size : null;
  return (
    <figure class="stage">
      <div ref={frame} class={v.scale > 1 ? "frame movable" : "frame"} {...gestures(frame, view, zoom)}>
        {size === "none" ? (
          <Notice tone="plain">{t("try.nopreview")}</Notice>
        ) : (
          <div class="sheet" dir="ltr" style={{ transform: `translate(${v.x}px, ${v.y}px) scale(${v.scale})` }}>
            <div class="fit">
              <img
                src={url}
                alt={t("try.picture")}
                draggable={false}
                onLoad={(e) => (seen.value = { url, size: [e.currentTarget.naturalWidth, e.currentTarget.naturalHeight] })}
                onError={() => (seen.value = { url, size: "none" })}
              />
              {size && <Outlines size={size} places={places} active={active} />}
            </div>
          </div>
        )}
        {busy && <div class="sweep" />}
      </div>
      <figcaption>
        <Button icon="zoom-out" kind="quiet" label={t("try.zoomout")} onClick={() => zoom(1 / 1.6)} disabled={v.scale <= 1} />
        <Button icon="maximize" kind="quiet" label={t("try.fit")} onClick={() => (view.value = whole)} disabled={v.scale <= 1} />
        <Button icon="zoom-in" kind="quiet" label={t("try.zoomin")} onClick={() => zoom(1.6)} disabled={v.scale >= largest} />
      </figcaption>
    </figure>
  );
}

function Outlines({ size, places, active }: { size: [number, number]; places: Place[]; active: Signal<string> }) {
  return (
    <svg class="outlines" viewBox={`0 0 ${size[0]} ${size[1]}`} aria-hidden="true">
      {places.map((p) => (
        <polygon
          class={active.value === p.id ? `${p.tone} active` : p.tone}
          points={p.quad.map((q) => q.join(",")).join(" ")}
          onPointerEnter={() => (active.value = p.tone === "document" ? "" : p.id)}
          onPointerLeave={() => (active.value = "")}
          onClick={() => p.tone !== "document" && pick(p.id)}
        />
      ))}
    </svg>
  );
}

// pick goes to the value of a place; a finger does not stay over one.
function pick(id: string) {
  document.querySelector<HTMLElement>(`[data-place="${CSS.escape(id)}"]`)?.focus();
}

// gestures are wheel, drag and double click on the frame.
function gestures(frame: { current: HTMLElement | null }, view: Signal<View>, zoom: (factor: number, at?: Point) => void) {
  const here = (e: MouseEvent): Point => {
    const box = frame.current?.getBoundingClientRect();
    return box ? [e.clientX - box.left, e.clientY - box.top] : [0, 0];
  };
  return {
    onWheel: (e: WheelEvent) => {
      if (!e.ctrlKey && view.value.scale === 1) return;
      e.preventDefault();
      zoom(e.deltaY < 0 ? 1.2 : 1 / 1.2, here(e));
    },
    onDblClick: (e: MouseEvent) => zoom(view.value.scale > 1 ? 1 / largest : 2.5, here(e)),
    onPointerMove: (e: PointerEvent) => {
      const box = frame.current?.getBoundingClientRect();
      if (!box || e.buttons !== 1 || view.value.scale === 1) return;
      const v = view.value;
      view.value = bounded({ scale: v.scale, x: v.x + e.movementX, y: v.y + e.movementY }, box);
    },
  };
}
