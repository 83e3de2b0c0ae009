// The room Transactions: what is answered as it happens, one transaction with all that it holds, and its end.
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, follow, Refused, session } from "../api";
import { Button, Dialog, Icon, Notice, State, Trouble } from "../parts";
import { clock, moment, named, t } from "../text";
import { FaceShown } from "./check";
import { CardForm } from "./form";
import { cardOf } from "./result";

interface Event {
  at: string;
  transaction_id: string;
  request_id: string;
  endpoint: string;
  key: string;
  error_code: number;
  kinds: string[];
  codes: number[];
  fake: boolean;
  is_matched: boolean | null;
  is_live: boolean | null;
}

// shown is how many events the list keeps.
const shown = 200;
const heard = signal<Event[]>([]);
const lost = signal(0);
const state = signal<"connecting" | "live">("connecting");

// listen follows the events, and joins again after a lost connection, until stop.
async function listen(stop: AbortSignal): Promise<void> {
  while (!stop.aborted && session.peek()) {
    state.value = "connecting";
    try {
      await follow("/v1/events", stop, () => (state.value = "live"), hear);
    } catch (e) {
      // The session has ended, or another tab has begun a new one: a call finds out.
      if (e instanceof Refused && (e.code === 401 || e.code === 403)) await call("/console/keys", { background: true }).catch(() => undefined);
    }
    await new Promise((done) => setTimeout(done, 2000));
  }
}

function hear(event: string, data: string) {
  if (event === "lost") lost.value += JSON.parse(data).count;
  if (event === "answer") heard.value = [JSON.parse(data), ...heard.value].slice(0, shown);
}

export function Transactions({ id }: { id: string }) {
  const signedIn = session.value !== null;
  useEffect(() => {
    const stop = new AbortController();
    void listen(stop.signal);
    return () => stop.abort();
  }, [signedIn]);
  return <div class="room transactions">{id ? <One key={id} id={id} /> : <List />}</div>;
}

function List() {
  return (
    <>
      <header>
        <div>
          <h1>{t("tx.title")}</h1>
          <p class="lead">{t("tx.lead")}</p>
        </div>
        <span class={state.value === "live" ? "pulse on" : "pulse"} role="status">
          <i />
          {state.value === "live" ? t("tx.live") : t("tx.connecting")}
        </span>
      </header>
      <Find />
      {lost.value > 0 && <Notice tone="look" title={t("tx.lost", { n: lost.value })} />}
      {heard.value.length === 0 ? <Nothing /> : <Table />}
    </>
  );
}

function Nothing() {
  return (
    <div class="nothing">
      <Icon name="list" />
      <h2>{t("tx.empty")}</h2>
      <p>{t("tx.empty.text")}</p>
    </div>
  );
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function Find() {
  const id = useSignal("");
  const bad = useSignal(false);
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    bad.value = !guid.test(id.value.trim());
    if (!bad.value) location.hash = `transactions/${id.value.trim().toLowerCase()}`;
  };
  return (
    <form class="find" onSubmit={submit}>
      <input dir="ltr" aria-label={t("tx.find.hint")} placeholder={t("tx.find.hint")} value={id.value} onInput={(e) => (id.value = e.currentTarget.value)} />
      <Button icon="eye" submit>
        {t("tx.find")}
      </Button>
      {bad.value && <Notice tone="bad" title={t("tx.bad")} />}
    </form>
  );
}

function Table() {
  return (
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{t("tx.time")}</th>
            <th>{t("tx.what")}</th>
            <th>{t("tx.outcome")}</th>
            <th>{t("tx.key")}</th>
            <th>{t("tx.id")}</th>
          </tr>
        </thead>
        <tbody>
          {heard.value.map((e) => (
            <tr key={e.request_id}>
              <td class="figure">{clock(e.at)}</td>
              <td>
                {named("endpoint", e.endpoint)}
                <div class="faint">{(e.kinds ?? []).map((k) => named("kind", k)).join(" · ")}</div>
              </td>
              <td>
                <Outcome of={e} />
              </td>
              <td>
                <bdi>{e.key}</bdi>
              </td>
              <td>
                {e.transaction_id && (
                  <a class="id" dir="ltr" href={`#transactions/${encodeURIComponent(e.transaction_id)}`} title={t("tx.look")}>
                    {e.transaction_id.slice(0, 8)}…
                  </a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Outcome({ of: e }: { of: Event }) {
  if (e.error_code !== 0) return <State tone="bad">{t("tx.refused", { code: e.error_code })}</State>;
  const words: string[] = [];
  if (e.fake) words.push(t("tx.fake"));
  if (e.is_live !== null) words.push(e.is_live ? t("tx.islive") : t("tx.notlive"));
  if (e.is_matched !== null) words.push(e.is_matched ? t("tx.match") : t("tx.nomatch"));
  if (e.codes.length > 0) words.push(t("tx.codes", { n: e.codes.length }));
  const bad = e.fake || e.is_live === false || e.is_matched === false;
  return <State tone={bad ? "bad" : e.codes.length > 0 ? "look" : "good"}>{words.length === 0 ? t("tx.ok") : words.join(" · ")}</State>;
}

interface Held {
  transaction_id: string;
  created: string;
  expires: string;
  records: any[];
}

function One({ id }: { id: string }) {
  const held = useSignal<Held | null>(null);
  const error = useSignal<unknown>(null);
  const asking = useSignal(false);
  const erased = useSignal(false);
  useEffect(() => {
    call(`/v1/transactions/${encodeURIComponent(id)}`).then(
      (e) => (held.value = e.data),
      (e) => (error.value = e),
    );
  }, []);
  const erase = async () => {
    asking.value = false;
    try {
      await call(`/v1/transactions/${encodeURIComponent(id)}`, { method: "DELETE" });
      erased.value = true;
      held.value = null;
    } catch (e) {
      error.value = e;
    }
  };
  const gone = error.value instanceof Refused && [4101, 4103].includes(error.value.code);
  return (
    <>
      <header>
        <div>
          <a class="back" href="#transactions">
            <Icon name="arrow-right" flip />
            {t("tx.back")}
          </a>
          <h1 class="id" dir="ltr">
            {id}
          </h1>
        </div>
        {held.value && (
          <Button kind="danger" icon="trash-2" onClick={() => (asking.value = true)}>
            {t("tx.erase")}
          </Button>
        )}
      </header>
      {erased.value && <Notice tone="good" title={t("tx.erased")} />}
      {gone && <Notice tone="look" title={t("tx.gone")} />}
      {error.value !== null && !gone && <Trouble error={error.value} />}
      {held.value && <Records held={held.value} />}
      {asking.value && (
        <Dialog title={t("tx.erase.sure")} close={() => (asking.value = false)}>
          <p>{t("tx.erase.text")}</p>
          <footer>
            <Button onClick={() => (asking.value = false)}>{t("cancel")}</Button>
            <Button kind="danger" icon="trash-2" onClick={() => void erase()}>
              {t("tx.erase")}
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

function Records({ held }: { held: Held }) {
  const active = useSignal("");
  return (
    <>
      <p class="hint">
        {t("tx.created")} {moment(held.created)} · {t("tx.expires")} {moment(held.expires)} · {t("tx.noted")}
      </p>
      {held.records.map((r, i) => (
        <section class="record" key={r.request_id}>
          <h2>
            {named("endpoint", r.endpoint)} <small>{clock(r.at)}</small> <small class="tag">{r.key}</small>
            {r.client_transaction_id && (
              <small class="tag" dir="auto">
                {r.client_transaction_id}
              </small>
            )}
          </h2>
          <div class="cards">
            {r.documents.map((d: any, k: number) => (
              <CardForm card={cardOf(d.data, d.Services, `${i}.${k}`)} active={active} />
            ))}
          </div>
          {r.match && <FaceShown live={false} face={r.match} reasons={r.match.reasons ?? []} />}
          {r.liveness && <FaceShown live face={r.liveness} reasons={r.liveness.reasons ?? []} gaps={r.liveness.gaps_ms ?? undefined} />}
        </section>
      ))}
    </>
  );
}
