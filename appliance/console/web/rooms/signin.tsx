// Sign-in with an API key. The key is exchanged for a session at once and forgotten here.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused, signIn } from "../api";
import { Button, Code, LanguageSwitch, Mark, Notice, Trouble } from "../parts";
import { t } from "../text";

function Refusal({ error }: { error: unknown }) {
  if (error instanceof Refused && error.code === 401) return <Notice tone="bad" title={t("in.wrong")} />;
  if (error instanceof Refused && error.code === 403) return <Notice tone="bad" title={t("in.scope")} />;
  return <Trouble error={error} />;
}

export function SignIn({ again }: { again?: boolean }) {
  const key = useSignal("");
  const busy = useSignal(false);
  const error = useSignal<unknown>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (e: Event) => {
    e.preventDefault();
    busy.value = true;
    error.value = null;
    try {
      await signIn(key.value.trim());
    } catch (e) {
      error.value = e;
      field.current?.select();
    } finally {
      busy.value = false;
    }
  };
  const Frame = again ? "div" : "main";
  return (
    <Frame class="signin">
      <header>
        <a href="/" aria-label={t("app.name")}>
          <Mark />
        </a>
        <LanguageSwitch />
      </header>
      <form class="card" onSubmit={submit}>
        <h1>{t("in.title")}</h1>
        {again ? <Notice tone="look">{t("in.ended")}</Notice> : <p class="lead">{t("in.lead")}</p>}
        <label>
          <span>{t("in.key")}</span>
          <input
            ref={field}
            type="password"
            name="key"
            dir="ltr"
            autocomplete="off"
            spellcheck={false}
            required
            value={key.value}
            onInput={(e) => (key.value = e.currentTarget.value)}
          />
        </label>
        {error.value !== null && <Refusal error={error.value} />}
        <Button kind="main" submit disabled={busy.value}>
          {busy.value ? t("in.busy") : t("in.go")}
        </Button>
        <p class="hint">{t("in.privacy")}</p>
      </form>
      {!again && (
        <div class="aside">
          <p>{t("in.hint")}</p>
          <Code short text="sudo bawab keys add operator --scopes ocr,face,admin" />
          <p>{t("in.source")}</p>
          <Code short text="bin/bawab keys add operator --scopes ocr,face,admin --data ./var" />
        </div>
      )}
    </Frame>
  );
}
