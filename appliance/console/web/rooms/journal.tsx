// The room Journal: whether it is whole, with how far the look at it is, and the export as a file.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { follow, send } from "../api";
import { Button, Code, Notice, Told, Trouble } from "../parts";
import { moment, t } from "../text";

interface Report {
  entries: number;
  segments: number;
  since: string;
  until: string;
  last: string;
  problems: string[];
}

export function Journal() {
  const report = useSignal<Report | null>(null);
  const seen = useSignal<number | null>(null);
  const error = useSignal<unknown>(null);
  const failed = useSignal(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const verify = async () => {
    report.value = null;
    error.value = null;
    failed.value = false;
    seen.value = 0;
    try {
      await follow("/console/journal/verify", stop.current.signal, () => undefined, (event, data) => {
        if (event === "seen") seen.value = JSON.parse(data);
        if (event === "done") report.value = JSON.parse(data);
        if (event === "failed") failed.value = true;
      });
    } catch (e) {
      error.value = e;
    }
    seen.value = null;
  };
  const save = async () => {
    error.value = null;
    try {
      const answer = await send("/console/journal/export");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await answer.blob());
      link.download = "bawab-journal.jsonl";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    } catch (e) {
      error.value = e;
    }
  };
  const r = report.value;
  return (
    <div class="room journal">
      <header>
        <div>
          <h1>{t("room.journal")}</h1>
          <p class="lead">{t("journal.lead")}</p>
        </div>
        <div class="row">
          <Button icon="upload" onClick={() => void save()}>
            {t("journal.export")}
          </Button>
          <Button kind="main" icon="shield-check" disabled={seen.value !== null} onClick={() => void verify()}>
            {t("journal.verify")}
          </Button>
        </div>
      </header>
      {error.value !== null && <Trouble error={error.value} />}
      {failed.value && <Notice tone="bad" title={t("journal.failed")} />}
      {seen.value !== null && <Notice tone="plain" title={t("journal.seen", { n: seen.value })} />}
      {r && (
        <>
          <Notice tone={r.problems.length === 0 ? "good" : "bad"} title={r.problems.length === 0 ? t("journal.sound") : t("journal.unsound")}>
            {r.problems.map((p) => (
              <p>
                <Told text={p} />
              </p>
            ))}
          </Notice>
          <dl class="facts">
            <div>
              <dt>{t("journal.entries")}</dt>
              <dd>{r.entries}</dd>
            </div>
            <div>
              <dt>{t("journal.span")}</dt>
              <dd>
                {moment(r.since)} – {moment(r.until)}
              </dd>
            </div>
          </dl>
          <h2>{t("journal.last")}</h2>
          <Code short text={r.last} />
        </>
      )}
    </div>
  );
}
