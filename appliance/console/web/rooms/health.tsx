// The room Health: what is wrong and what to do about it, then what is in order.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../api";
import { Button, Code, Facts, Icon, Notice, State, Told, Trouble } from "../parts";
import { bytes, clock, has, language, moment, named, t } from "../text";

interface Condition {
  ready: boolean;
  version: string;
  started: string;
  listen: string;
  fingerprint: string;
  authority: boolean;
  queue: number;
  store_bytes: number;
  models: number;
  warnings: { code: string; message: string; hint: string }[];
  checks: { name: string; ok: boolean; detail: string; hint: string }[];
}

export function Health() {
  const now = useSignal<Condition | null>(null);
  const at = useSignal("");
  const error = useSignal<unknown>(null);
  const load = async (background: boolean) => {
    try {
      now.value = (await call("/console/health", { background })).data;
      at.value = new Date().toISOString();
      error.value = null;
    } catch (e) {
      error.value = e;
    }
  };
  useEffect(() => {
    void load(false);
    const again = setInterval(() => document.hidden || void load(true), 10000);
    return () => clearInterval(again);
  }, [language.value]);
  return (
    <div class="room health">
      <header>
        <h1>{t("health.title")}</h1>
        {at.value && <small class="faint">{t("health.at", { time: clock(at.value) })}</small>}
        <span class="space" />
        <Button icon="rotate-ccw" onClick={() => void load(false)}>
          {t("health.refresh")}
        </Button>
      </header>
      {error.value !== null && <Trouble error={error.value} retry={() => void load(false)} />}
      {now.value && <Shown now={now.value} />}
    </div>
  );
}

function Shown({ now }: { now: Condition }) {
  // A condition that the doctor met too is shown once, with what the doctor found.
  const broken = now.checks.filter((c) => !c.ok && !now.warnings.some((w) => w.code === c.name));
  const fine = now.checks.filter((c) => c.ok);
  const calm = now.warnings.length + broken.length === 0;
  const facts: [string, string][] = [
    [t("health.version"), now.version],
    [t("health.since"), moment(now.started)],
    [t("health.listen"), now.listen],
    [t("health.queue"), String(now.queue)],
    [t("health.store"), bytes(now.store_bytes)],
    [t("health.models"), String(now.models)],
  ];
  if (now.fingerprint) facts.push([t("health.fingerprint"), now.fingerprint]);
  return (
    <>
      <Notice tone={now.ready ? "good" : "bad"} title={now.ready ? t("health.ready") : t("health.notready")}>
        {calm && t("health.allgood")}
      </Notice>
      {!calm && (
        <section>
          <h2>{t("health.mend")}</h2>
          <ul class="mend">
            {now.warnings.map((w) => (
              <Ill title={named("warn", w.code)} detail={now.checks.find((c) => c.name === w.code && !c.ok)?.detail ?? w.message} hint={w.hint} code={w.code} />
            ))}
            {broken.map((c) => (
              <Ill title={named(has(`warn.${c.name}`) ? "warn" : "check", c.name)} detail={c.detail} hint={c.hint} code="" />
            ))}
          </ul>
        </section>
      )}
      <div class="pair wide">
        <section>
          <h2>{t("health.facts")}</h2>
          <Facts of={facts} />
          {now.authority && <Trust />}
        </section>
        <section>
          <h2>{t("health.checks")}</h2>
          <ul class="checks">
            {fine.map((c) => (
              <li>
                <State tone="good">{named("check", c.name)}</State>
                <small>
                  <Told text={c.detail} />
                </small>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

// Trust gives the certificate of the appliance's own authority, and says how each system is told to trust it.
function Trust() {
  return (
    <details class="card trust">
      <summary>{t("trust.title")}</summary>
      <p>{t("trust.text")}</p>
      <p>
        <a class="button" href="/console/authority.pem" download="bawab-authority.pem">
          <Icon name="shield-check" />
          <span>{t("trust.get")}</span>
        </a>
      </p>
      {ways.map(([system, command]) => (
        <>
          <h3>
            <bdi>{system}</bdi>
          </h3>
          <Code text={command} />
        </>
      ))}
    </details>
  );
}

const ways: [system: string, command: string][] = [
  ["Debian, Ubuntu", "sudo cp bawab-authority.pem /usr/local/share/ca-certificates/bawab.crt && sudo update-ca-certificates"],
  ["RHEL, Fedora", "sudo cp bawab-authority.pem /etc/pki/ca-trust/source/anchors/bawab.pem && sudo update-ca-trust"],
  ["Windows", "certutil -addstore -f Root bawab-authority.pem"],
  ["macOS", "sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain bawab-authority.pem"],
  ["Node", "NODE_EXTRA_CA_CERTS=bawab-authority.pem node app.js"],
];

// Ill is a condition to be mended, with the way to do it.
function Ill({ title, detail, hint, code }: { title: string; detail: string; hint: string; code: string }) {
  return (
    <li>
      <State tone="look">
        <strong>{title}</strong>
        {code && <code>{code}</code>}
      </State>
      <p>
        <Told text={detail} />
      </p>
      {hint && (
        <p class="way">
          {t("health.command")}: <Told text={hint} />
        </p>
      )}
    </li>
  );
}
