// The room Try: one picture, or the whole check of a person.
import { useSignal } from "@preact/signals";
import { Tabs } from "../parts";
import { t } from "../text";
import { Check } from "./check";
import { One } from "./one";

export function Try({ shown }: { shown: boolean }) {
  const mode = useSignal<"one" | "whole">("one");
  return (
    <div class="room try">
      <header>
        <h1>{t("try.title")}</h1>
        <Tabs
          label={t("try.title")}
          value={mode.value}
          choose={(m) => (mode.value = m)}
          choices={[
            { value: "one", label: t("try.one") },
            { value: "whole", label: t("try.whole") },
          ]}
        />
      </header>
      <div hidden={mode.value !== "one"}>
        <One shown={shown && mode.value === "one"} />
      </div>
      {mode.value === "whole" && <Check />}
    </div>
  );
}
