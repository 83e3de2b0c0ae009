// The room Settings: every key of the configuration with its value, where that comes from and what it means.
import { useSignal } from "@preact/signals";
import { Told, Trouble } from "../parts";
import { named, t } from "../text";
import { useAnswer } from "./load";

interface Setting {
  path: string;
  value: string;
  fallback: string;
  allowed: string;
  meaning: string;
  origin: string;
  restart: boolean;
}

export function Settings() {
  const { found, error, load } = useAnswer<Setting[]>("/console/settings");
  const sought = useSignal("");
  const shown = (found.value ?? []).filter((s) => `${s.path} ${s.meaning}`.toLowerCase().includes(sought.value.toLowerCase()));
  return (
    <div class="room settings">
      <header>
        <div>
          <h1>{t("room.settings")}</h1>
          <p class="lead">{t("settings.lead")}</p>
        </div>
        <input type="search" aria-label={t("settings.find")} placeholder={t("settings.find")} onInput={(e) => (sought.value = e.currentTarget.value)} />
      </header>
      {error.value !== null && <Trouble error={error.value} retry={() => void load()} />}
      <div class="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{t("settings.key")}</th>
              <th>{t("settings.value")}</th>
              <th>{t("settings.origin")}</th>
              <th>{t("settings.meaning")}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((s) => (
              <tr key={s.path} data-key={s.path}>
                <td>
                  <code dir="ltr">{s.path}</code>
                </td>
                <td>{s.value === "" ? <span class="faint">{t("settings.empty")}</span> : <code dir="ltr">{s.value}</code>}</td>
                <td>
                  {named("origin", s.origin)}
                  {s.restart && <div class="faint">{t("settings.restart")}</div>}
                </td>
                <td class="meaning">
                  <Told text={s.meaning} />{" "}
                  <span class="faint">
                    (<Told text={s.allowed} />)
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
