"""The kinds of the contract, as the program has them, from appliance/kinds.json."""

import json
import pathlib

_FILE = pathlib.Path(__file__).resolve().parents[4] / "appliance" / "kinds.json"
_FACTS = json.loads(_FILE.read_text(encoding="utf-8"))

# The kinds in the contract's order, which is that of the network's classes.
NAMES: tuple[str, ...] = tuple(facts["kind"] for facts in _FACTS)
# The fields of the data model of each kind.
FIELDS: dict[str, frozenset[str]] = {facts["kind"]: frozenset(field["name"] for field in facts["fields"]) for facts in _FACTS}
# The kinds that are examined for screens and prints.
EXAMINED: frozenset[str] = frozenset(facts["kind"] for facts in _FACTS if "screen_replay" in facts.get("cues", ()))
