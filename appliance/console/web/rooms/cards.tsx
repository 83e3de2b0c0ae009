// Unknown documents that look alike, in the room Review: how many, what they print, one picture, and a draft of a description.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, pictureOf } from "../api";
import { Button, Code, Notice, Trouble } from "../parts";
import { t } from "../text";

interface Group {
  id: string;
  cards: number;
  different: number;
  aspect: number;
  words: string[];
  reviews: string[];
}

interface Found {
  documents: number;
  waiting: number;
  groups: Group[];
}

export function Cards() {
  const found = useSignal<Found | null>(null);
  const error = useSignal<unknown>(null);
  const gone = useSignal(false);
  const load = async () => {
    error.value = null;
    try {
      do found.value = (await call("/v1/review/cards")).data;
      while ((found.value?.waiting ?? 0) > 0 && !gone.value);
    } catch (e) {
      error.value = e;
    }
  };
  useEffect(() => {
    void load();
    return () => (gone.value = true);
  }, []);
  const now = found.value;
  return (
    <section>
      <p class="hint">{t("cards.lead")}</p>
      {error.value !== null && <Trouble error={error.value} retry={() => void load()} />}
      {!now && error.value === null && <p class="waiting">{t("loading")}</p>}
      {now && now.waiting > 0 && <p role="status">{t("cards.waiting", { n: now.waiting })}</p>}
      {now && now.waiting === 0 && now.groups.length === 0 && (
        <Notice tone="plain" title={t("cards.none")}>
          {t("cards.none.text", { n: now.documents })}
        </Notice>
      )}
      {now?.groups.map((g) => (
        <Alike key={g.id} group={g} />
      ))}
    </section>
  );
}

interface Draft {
  kind: string;
  description: string;
  labels: string;
}

function Alike({ group }: { group: Group }) {
  const url = useSignal("");
  const draft = useSignal<Draft | null>(null);
  const error = useSignal<unknown>(null);
  const doing = async (what: () => Promise<void>) => {
    error.value = null;
    try {
      await what();
    } catch (e) {
      error.value = e;
    }
  };
  useEffect(() => () => URL.revokeObjectURL(url.peek()), []);
  const show = () => doing(async () => void (url.value = await pictureOf(group.id, 0)));
  const write = () => doing(async () => void (draft.value = (await call(`/v1/review/cards/${group.id}/draft`)).data));
  return (
    <section class="card alike">
      <h2>{t("cards.alike", { n: group.cards })}</h2>
      <p class="hint">{t("cards.different", { n: group.different })}</p>
      <p>
        {group.words.map((w) => (
          <span class="tag">
            <bdi>{w}</bdi>
          </span>
        ))}
        {group.words.length === 0 && t("cards.few")}
      </p>
      {url.value && <img src={url.value} alt={t("try.picture")} />}
      <div class="row">
        {!url.value && <Button icon="eye" onClick={() => void show()}>{t("cards.show")}</Button>}
        {group.words.length > 0 && !draft.value && <Button onClick={() => void write()}>{t("cards.draft")}</Button>}
      </div>
      {error.value !== null && <Trouble error={error.value} />}
      {draft.value && <Files draft={draft.value} />}
    </section>
  );
}

// Files shows the two files of a draft, each to be saved.
function Files({ draft }: { draft: Draft }) {
  const files: [name: string, text: string][] = [
    ["description.txt", draft.description],
    ["labels.txt", draft.labels],
  ];
  return (
    <>
      <p>{t("cards.draft.text")}</p>
      {files.map(([name, text]) => (
        <>
          <Code text={text} />
          <p>
            <a class="button" download={name} href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}>
              <bdi>{name}</bdi>
            </a>
          </p>
        </>
      ))}
    </>
  );
}
