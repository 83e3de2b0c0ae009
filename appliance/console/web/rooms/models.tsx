// The room Models: which set of networks is in use, their cards, a self-check and the way back.
import { useSignal } from "@preact/signals";
import { call } from "../api";
import { Button, Dialog, Facts, Notice, State, Told, Trouble } from "../parts";
import { bytes, named, t } from "../text";
import { useAnswer } from "./load";

interface Threshold {
  name: string;
  value: number;
  origin: string;
}

interface Network {
  name: string;
  sha256: string;
  input: string;
  bytes: number;
  provenance: string;
  thresholds: Threshold[];
}

interface Reading {
  picture: string;
  ok: boolean;
  detail: string;
}

interface Sets {
  version: string;
  program: string;
  previous: string;
  trial: boolean;
  failed: string;
  why: string;
  kinds: string[];
  calibration: string;
  networks: Network[];
}

export function Models() {
  const { found, error, load } = useAnswer<Sets>("/console/models");
  const read = useSignal<Reading[] | null>(null);
  const busy = useSignal(false);
  const back = useSignal(false);
  const act = async (path: string, done: (data: any) => void) => {
    busy.value = true;
    error.value = null;
    try {
      done((await call(path, { method: "POST" })).data);
    } catch (e) {
      error.value = e;
    } finally {
      busy.value = false;
    }
  };
  const m = found.value;
  return (
    <div class="room models">
      <header>
        <div>
          <h1>{t("room.models")}</h1>
          <p class="lead">{t("models.lead")}</p>
        </div>
        <div class="row">
          <Button icon="shield-check" disabled={busy.value} onClick={() => void act("/console/models/check", (d) => (read.value = d))}>
            {t("models.check")}
          </Button>
          <Button icon="rotate-ccw" disabled={busy.value || !m || m.version === m.program} onClick={() => (back.value = true)}>
            {t("models.back")}
          </Button>
        </div>
      </header>
      {error.value !== null && <Trouble error={error.value} />}
      {busy.value && <Notice tone="plain" title={t("models.checking")} />}
      {read.value && (
        <ul class="checks">
          {read.value.map((r) => (
            <li>
              <State tone={r.ok ? "good" : "bad"}>{t(r.ok ? "models.read" : "models.unread")}</State>
              <small>
                <bdi>{r.picture}</bdi> <Told text={r.detail} />
              </small>
            </li>
          ))}
        </ul>
      )}
      {m && <Shown of={m} />}
      {back.value && (
        <Dialog title={t("models.back.sure")} close={() => (back.value = false)}>
          <p>{t("models.back.text")}</p>
          <footer>
            <Button onClick={() => (back.value = false)}>{t("cancel")}</Button>
            <Button kind="danger" onClick={() => ((back.value = false), void act("/console/models/rollback", () => void load()))}>
              {t("models.back")}
            </Button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}

function Shown({ of: m }: { of: Sets }) {
  const facts: [string, string][] = [
    [t("models.version"), m.trial ? `${m.version} (${t("models.trial")})` : m.version],
    [t("models.program"), m.program],
    [t("models.previous"), m.previous || t("models.none")],
  ];
  if (m.kinds.length > 0) facts.push([t("models.kinds"), m.kinds.join(", ")]);
  if (m.calibration) facts.push([t("models.calibration"), m.calibration]);
  if (m.failed) facts.push([t("models.failed"), `${m.failed}: ${m.why}`]);
  return (
    <>
      <Facts of={facts} />
      <div class="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{t("models.name")}</th>
              <th>{t("models.input")}</th>
              <th>{t("models.bytes")}</th>
              <th>{t("models.provenance")}</th>
              <th>{t("models.thresholds")}</th>
            </tr>
          </thead>
          <tbody>
            {m.networks.map((n) => (
              <tr key={n.name} data-network={n.name}>
                <td>
                  <strong>
                    <bdi>{n.name}</bdi>
                  </strong>
                  <div class="id faint" dir="ltr" title={n.sha256}>
                    {n.sha256.slice(0, 12)}
                  </div>
                </td>
                <td dir="ltr">{n.input}</td>
                <td>{bytes(n.bytes)}</td>
                <td>{n.provenance && named("provenance", n.provenance)}</td>
                <td>
                  {n.thresholds.map((h) => (
                    <div dir="ltr">
                      <code>{h.name}</code> {h.value}
                    </div>
                  ))}
                  {n.thresholds.length > 0 && <Origins of={n.thresholds} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

// Origins quotes what the manifest says of where thresholds come from: data, day and what the value costs.
function Origins({ of }: { of: Threshold[] }) {
  return (
    <details class="origins">
      <summary>{t("models.origins")}</summary>
      {of.map((h) => (
        <p lang="en" dir="ltr">
          <code>{h.name}</code> {h.origin}
        </p>
      ))}
    </details>
  );
}
