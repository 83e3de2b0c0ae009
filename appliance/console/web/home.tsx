// The first page: what this is, where to go, and whether it works.
import { signal } from "@preact/signals";
import { render } from "preact";
import { Icon, type IconName, LanguageSwitch, Mark, Notice } from "./parts";
import { language, speak, t } from "./text";

type Condition = { ready: boolean; warnings: unknown[] } | "asking" | "unreachable";
const condition = signal<Condition>("asking");

async function ask(): Promise<void> {
  try {
    condition.value = await (await fetch("/readyz", { cache: "no-store" })).json();
  } catch {
    condition.value = "unreachable";
  }
}

function Shown() {
  const c = condition.value;
  if (c === "asking") return <Notice tone="plain" title={t("home.asking")} />;
  if (c === "unreachable") {
    return (
      <Notice tone="bad" title={t("home.unreachable")}>
        {t("home.unreachable.text")}
      </Notice>
    );
  }
  if (!c.ready) {
    return (
      <Notice tone="bad" title={t("home.notready")}>
        {t("home.notready.text")}
      </Notice>
    );
  }
  if (c.warnings.length > 0) {
    return (
      <Notice tone="look" title={t("home.warned")}>
        {t("home.warned.text", { n: c.warnings.length })}
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={t("home.ready")}>
      {t("home.ready.text")}
    </Notice>
  );
}

function Way({ to, icon, title, text, main }: { to: string; icon: IconName; title: string; text: string; main?: boolean }) {
  return (
    <a class={main ? "way main" : "way"} href={to}>
      <Icon name={icon} />
      <span>
        <strong>{title}</strong>
        <small>{text}</small>
      </span>
      <Icon name="arrow-right" flip />
    </a>
  );
}

function Home() {
  return (
    <div class="home" lang={language.value}>
      <header>
        <Mark />
        <strong>{t("app.name")}</strong>
        <LanguageSwitch />
      </header>
      <main>
        <h1>{t("home.title")}</h1>
        <p class="lead">{t("home.lead")}</p>
        <Shown />
        <nav aria-label={t("home.where")}>
          <Way to="/console/#try" icon="scan-line" title={t("home.try")} text={t("home.try.text")} main />
          <Way to="/console/#health" icon="shield-check" title={t("home.console")} text={t("home.console.text")} />
          <Way to="/v1/openapi.yaml" icon="book-open" title={t("home.api")} text={t("home.api.text")} />
        </nav>
      </main>
    </div>
  );
}

speak(language.value);
void ask();
setInterval(() => document.hidden || void ask(), 10000);
const page = document.getElementById("page");
if (page) render(<Home />, page);
