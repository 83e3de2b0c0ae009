// The console: sign-in, rooms and the way between them.
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ended, resume, session, signOut } from "./api";
import { Button, Icon, type IconName, LanguageSwitch, Mark, Trouble } from "./parts";
import { Camera } from "./rooms/camera";
import { Drift } from "./rooms/drift";
import { Health } from "./rooms/health";
import { Journal } from "./rooms/journal";
import { Keys } from "./rooms/keys";
import { Models } from "./rooms/models";
import { Review } from "./rooms/review";
import { Settings } from "./rooms/settings";
import { SignIn } from "./rooms/signin";
import { Transactions } from "./rooms/transactions";
import { Try } from "./rooms/try";
import { language, type Name, speak, t } from "./text";

const rooms: [room: string, icon: IconName][] = [
  ["try", "scan-line"],
  ["transactions", "list"],
  ["keys", "key-round"],
  ["review", "eye"],
  ["camera", "camera"],
  ["models", "cpu"],
  ["journal", "book-open"],
  ["health", "activity"],
  ["drift", "trending-up"],
  ["settings", "settings-2"],
];

// admits reports whether the session's key may enter a room: Review has a scope of its own, all others are for admins.
function admits(room: string): boolean {
  const scopes = session.value?.scopes ?? [];
  return scopes.includes(room === "review" ? "review" : "admin");
}

const place = signal(location.hash.slice(1));
const opening = signal<"asking" | "open" | Error>("asking");

function roomOf(hash: string): string {
  const [room = ""] = hash.split("/");
  if (rooms.some(([r]) => r === room && admits(r))) return room;
  return rooms.find(([r]) => admits(r))?.[0] ?? "try";
}

function Navigation({ at }: { at: string }) {
  const list = useRef<HTMLElement>(null);
  // On a narrow screen the list is longer than the screen: the room stays in sight.
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [at, language.value]);
  return (
    <nav ref={list} class="rooms" aria-label={t("nav.rooms")}>
      <a class="brand" href="/">
        <Mark />
        <strong>{t("app.name")}</strong>
      </a>
      {rooms.filter(([room]) => admits(room)).map(([room, icon]) => (
        <a href={`#${room}`} aria-current={room === at ? "page" : undefined}>
          <Icon name={icon} />
          <span>{t(`room.${room}` as Name)}</span>
        </a>
      ))}
      <div class="foot">
        <p class="who">
          <Icon name="key-round" />
          <bdi>{session.value?.key}</bdi>
        </p>
        <LanguageSwitch />
        <Button icon="log-out" kind="quiet" onClick={() => void signOut()}>
          {t("nav.out")}
        </Button>
      </div>
    </nav>
  );
}

// Room keeps the room Try in the page while others are looked at: a reading goes on, and its result stays.
function Rooms({ at }: { at: string }) {
  return (
    <>
      <div hidden={at !== "try"}>
        <Try shown={at === "try"} />
      </div>
      {at === "transactions" && <Transactions id={place.value.split("/")[1] ?? ""} />}
      {at === "keys" && <Keys />}
      {at === "review" && <Review kind={place.value.split("/")[1] ?? ""} since={place.value.split("/")[2] ?? ""} />}
      {at === "camera" && <Camera />}
      {at === "models" && <Models />}
      {at === "journal" && <Journal />}
      {at === "health" && <Health />}
      {at === "drift" && <Drift />}
      {at === "settings" && <Settings />}
    </>
  );
}

function Console() {
  const at = roomOf(place.value);
  useEffect(() => {
    document.title = `${t(`room.${at}` as Name)} · ${t("app.name")}`;
  });
  if (opening.value === "asking") return <p class="waiting">{t("loading")}</p>;
  if (opening.value !== "open") return <Trouble error={opening.value} retry={open} />;
  if (!session.value && !ended.value) return <SignIn />;
  return (
    <div class="console" lang={language.value}>
      <a class="skip" href="#content" onClick={skip}>
        {t("nav.skip")}
      </a>
      <Navigation at={at} />
      <main id="content" tabIndex={-1}>
        <Rooms at={at} />
      </main>
      {ended.value && (
        <div class="over">
          <SignIn again />
        </div>
      )}
    </div>
  );
}

function skip(e: Event) {
  e.preventDefault();
  document.getElementById("content")?.focus();
}

function open() {
  opening.value = "asking";
  resume().then(
    () => (opening.value = "open"),
    (e: Error) => (opening.value = e),
  );
}

speak(language.value);
addEventListener("hashchange", () => (place.value = location.hash.slice(1)));
// A page that a browser shows again from its memory asks once more whether somebody is signed in.
addEventListener("pageshow", (e) => e.persisted && open());
effect(() => void document.body.classList.toggle("locked", ended.value));
open();
const page = document.getElementById("page");
if (page) render(<Console />, page);
