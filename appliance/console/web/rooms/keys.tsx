// The room Keys: which programs may call, with what scopes, and until when.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, session } from "../api";
import { Button, Code, Dialog, Notice, scopeText, State, Trouble } from "../parts";
import { moment, t } from "../text";

interface Key {
  name: string;
  scopes: string[];
  origins: string[];
  screen: string;
  rate_per_minute: number;
  created: string;
  expires: string | null;
  last_used: string | null;
}

const scopes = ["ocr", "face", "camera", "review", "admin"];

export function Keys() {
  const keys = useSignal<Key[] | null>(null);
  const error = useSignal<unknown>(null);
  const adding = useSignal(false);
  const revoking = useSignal<Key | null>(null);
  const screen = useSignal(false);
  const load = async () => {
    error.value = null;
    try {
      keys.value = (await call("/console/keys")).data.keys;
    } catch (e) {
      error.value = e;
    }
  };
  useEffect(() => void load(), []);
  return (
    <div class="room keys">
      <header>
        <div>
          <h1>{t("keys.title")}</h1>
          <p class="lead">{t("keys.lead")}</p>
        </div>
        <div class="row">
          <Button icon="scan-face" onClick={() => (screen.value = true)}>
            {t("screen.add")}
          </Button>
          <Button kind="main" icon="plus" onClick={() => (adding.value = true)}>
            {t("keys.add")}
          </Button>
        </div>
      </header>
      {error.value !== null && <Trouble error={error.value} retry={() => void load()} />}
      {keys.value && <Table keys={keys.value} revoke={(k) => (revoking.value = k)} />}
      {adding.value && <Add close={() => ((adding.value = false), void load())} />}
      {screen.value && <LetIn close={() => ((screen.value = false), void load())} />}
      {revoking.value && <Revoke of={revoking.value} close={() => ((revoking.value = null), void load())} />}
    </div>
  );
}

function Table({ keys, revoke }: { keys: Key[]; revoke: (k: Key) => void }) {
  if (keys.length === 0) return <Notice tone="look" title={t("keys.empty")} />;
  return (
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{t("keys.name")}</th>
            <th>{t("keys.scopes")}</th>
            <th>{t("keys.used")}</th>
            <th>{t("keys.expires")}</th>
            <th>{t("keys.origins")}</th>
            <th>
              <span class="heard">{t("keys.revoke")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((k) => (
            <Row of={k} revoke={revoke} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ of: k, revoke }: { of: Key; revoke: (k: Key) => void }) {
  const over = k.expires !== null && Date.parse(k.expires) <= Date.now();
  return (
    <tr data-key={k.name}>
      <td>
        <strong>
          <bdi>{k.name}</bdi>
        </strong>
        {k.name === session.value?.key && <small class="tag">{t("keys.you")}</small>}
      </td>
      <td>
        {k.scopes.map((s) => (
          <span class="tag" title={scopeText(s)}>
            {s}
          </span>
        ))}
      </td>
      <td>{moment(k.last_used)}</td>
      <td>{over ? <State tone="bad">{t("keys.ended")}</State> : moment(k.expires)}</td>
      <td>{k.screen ? t("screen.at", { address: k.screen }) : k.origins.length === 0 ? <span class="faint">{t("keys.any")}</span> : k.origins.map((o) => <div dir="ltr">{o}</div>)}</td>
      <td class="end">
        <Button kind="quiet" icon="trash-2" onClick={() => revoke(k)}>
          {t("keys.revoke")}
        </Button>
      </td>
    </tr>
  );
}

function Revoke({ of: k, close }: { of: Key; close: () => void }) {
  const error = useSignal<unknown>(null);
  const go = async () => {
    try {
      await call(`/console/keys/${encodeURIComponent(k.name)}`, { method: "DELETE" });
      close();
    } catch (e) {
      error.value = e;
    }
  };
  return (
    <Dialog title={t("keys.revoke.sure", { name: k.name })} close={close}>
      <p>{t("keys.revoke.text")}</p>
      {k.name === session.value?.key && <Notice tone="look">{t("keys.revoke.own")}</Notice>}
      {error.value !== null && <Trouble error={error.value} />}
      <footer>
        <Button onClick={close}>{t("cancel")}</Button>
        <Button kind="danger" icon="trash-2" onClick={() => void go()}>
          {t("keys.revoke")}
        </Button>
      </footer>
    </Dialog>
  );
}

// LetIn lets a kiosk screen in by the code that it shows.
function LetIn({ close }: { close: () => void }) {
  const name = useSignal("");
  const code = useSignal("");
  const error = useSignal<unknown>(null);
  const submit = async (e: Event) => {
    e.preventDefault();
    error.value = null;
    try {
      await call("/console/screens", { method: "POST", body: { name: name.value.trim(), code: code.value } });
      close();
    } catch (e) {
      error.value = e;
    }
  };
  return (
    <Dialog title={t("screen.add")} close={close}>
      <form onSubmit={submit}>
        <p>{t("screen.text")}</p>
        <label>
          <span>{t("keys.name")}</span>
          <input name="screen" dir="ltr" value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} autocomplete="off" />
        </label>
        <label>
          <span>{t("screen.code")}</span>
          <input name="code" dir="ltr" value={code.value} onInput={(e) => (code.value = e.currentTarget.value)} autocomplete="off" />
        </label>
        {error.value !== null && <Trouble error={error.value} />}
        <footer>
          <Button onClick={close}>{t("cancel")}</Button>
          <Button kind="main" submit>
            {t("screen.letin")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface Draft {
  name: string;
  scopes: string[];
  origins: string;
  expires: string;
  rate: string;
}

// wanted writes a draft as the appliance takes it. A key is valid to the end of its last day.
function wanted(d: Draft) {
  const end = new Date(`${d.expires}T00:00`);
  end.setDate(end.getDate() + 1);
  return {
    name: d.name.trim(),
    scopes: d.scopes,
    origins: d.origins.split(/\s+/).filter((o) => o !== ""),
    rate_per_minute: Number(d.rate) || 0,
    expires: d.expires === "" ? null : end.toISOString(),
  };
}

function Add({ close }: { close: () => void }) {
  const draft = useSignal<Draft>({ name: "", scopes: ["ocr", "face"], origins: "", expires: "", rate: "" });
  const error = useSignal<unknown>(null);
  const missing = useSignal(false);
  const secret = useSignal("");
  const submit = async (e: Event) => {
    e.preventDefault();
    missing.value = draft.value.name.trim() === "" || draft.value.scopes.length === 0;
    if (missing.value) return;
    error.value = null;
    try {
      secret.value = (await call("/console/keys", { method: "POST", body: wanted(draft.value) })).data.secret;
    } catch (e) {
      error.value = e;
    }
  };
  if (secret.value) {
    return (
      <Dialog title={t("keys.once")} close={close}>
        <p>{t("keys.once.text")}</p>
        <Code short text={secret.value} />
        <footer>
          <Button kind="main" onClick={close}>
            {t("keys.done")}
          </Button>
        </footer>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("keys.add")} close={close}>
      <form onSubmit={submit}>
        <Inputs draft={draft} />
        {missing.value && <Notice tone="bad" title={t("keys.taken")} />}
        {error.value !== null && <Trouble error={error.value} />}
        <footer>
          <Button onClick={close}>{t("cancel")}</Button>
          <Button kind="main" submit>
            {t("keys.make")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Inputs({ draft }: { draft: Signal<Draft> }) {
  const d = draft.value;
  const set = (change: Partial<Draft>) => (draft.value = { ...draft.value, ...change });
  const toggle = (s: string) => set({ scopes: d.scopes.includes(s) ? d.scopes.filter((o) => o !== s) : [...d.scopes, s] });
  return (
    <>
      <label>
        <span>{t("keys.name")}</span>
        <input name="name" dir="ltr" value={d.name} onInput={(e) => set({ name: e.currentTarget.value })} autocomplete="off" />
        <small>{t("keys.name.hint")}</small>
      </label>
      <fieldset>
        <legend>{t("keys.scopes")}</legend>
        {scopes.map((s) => (
          <label class="choice">
            <input type="checkbox" checked={d.scopes.includes(s)} onChange={() => toggle(s)} />
            <code>{s}</code>
            <small>{scopeText(s)}</small>
          </label>
        ))}
      </fieldset>
      <div class="pair">
        <label>
          <span>{t("keys.expires")}</span>
          <input type="date" value={d.expires} onInput={(e) => set({ expires: e.currentTarget.value })} />
          <small>{t("keys.expires.hint")}</small>
        </label>
        <label>
          <span>{t("keys.rate")}</span>
          <input type="number" min={1} max={1000000} value={d.rate} onInput={(e) => set({ rate: e.currentTarget.value })} />
          <small>{t("keys.rate.hint")}</small>
        </label>
      </div>
      <label>
        <span>{t("keys.origins")}</span>
        <textarea rows={2} dir="ltr" value={d.origins} onInput={(e) => set({ origins: e.currentTarget.value })} />
        <small>{t("keys.origins.hint")}</small>
      </label>
    </>
  );
}
