"""The order of the modules. Needs the standard library alone: `make check` runs it everywhere."""

import ast
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "bawab_training"
# What a folder may import beside itself when its modules are loaded.
BELOW: dict[str, set[str]] = {
    "draw": set(),
    "photograph": {"draw", "networks"},
    "networks": {"draw"},
    "export": {"draw", "photograph", "networks", "train"},
    "report": {"draw", "photograph", "networks", "train", "export"},
    "train": {"draw", "photograph", "networks"},
}


def _imported(node: ast.ImportFrom, folder: str) -> set[str]:
    """The modules of the package, as folder.module, that an import names."""
    where = (node.module or "").split(".") if node.module else []
    if node.level == 0:
        where = where[1:]
    if node.level == 1:
        where = [folder, *where]
    if len(where) == 1:
        return {f"{where[0]}.{name.name}" for name in node.names}
    return {".".join(where[:2])}


def modules(lazy: bool) -> dict[str, set[str]]:
    """Every module of the package with those that it imports as it is loaded; with lazy, also those that its functions import."""
    graph: dict[str, set[str]] = {}
    for file in PACKAGE.glob("*/*.py"):
        folder, tree = file.parent.name, ast.parse(file.read_text(encoding="utf-8"))
        nodes = ast.walk(tree) if lazy else iter(tree.body)
        froms = [n for n in nodes if isinstance(n, ast.ImportFrom)]
        found = [_imported(n, folder) for n in froms if n.level > 0 or (n.module or "").split(".")[0] == PACKAGE.name]
        graph[f"{folder}.{file.stem}"] = set().union(*found)
    return graph


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The sets of modules that reach each other."""
    reach: dict[str, set[str]] = {}
    for start in graph:
        seen: set[str] = set()
        rest = list(graph[start])
        while rest:
            name = rest.pop()
            if name not in seen:
                seen.add(name)
                rest += graph.get(name, ())
        reach[start] = seen
    return {frozenset(n for n in reach[m] if m in reach.get(n, ())) for m in graph if m in reach[m]}


class Imports(unittest.TestCase):
    def test_no_circle(self) -> None:
        """No module needs itself to be loaded, on whatever way."""
        self.assertEqual(circles(modules(lazy=False)), set())
        self.assertEqual(circles({"a.x": {"b.y"}, "b.y": {"a.x"}, "c.z": {"a.x"}}), {frozenset({"a.x", "b.y"})})

    def test_late_circles(self) -> None:
        """No module needs itself in its functions either: they load an export when it is called for, since TensorFlow takes seconds."""
        self.assertEqual(circles(modules(lazy=True)), set())

    def test_folders(self) -> None:
        """A folder imports only those below it; every module that is named is there."""
        graph = modules(lazy=False)
        for module, names in graph.items():
            folder = module.split(".")[0]
            for name in names:
                self.assertIn(name, graph, f"{module} imports {name}")
                self.assertIn(name.split(".")[0], {folder} | BELOW[folder], f"{module} imports {name}")
        self.assertGreater(len(graph), 60)

    def test_late_folders(self) -> None:
        """What a function imports when it is called lies below, too, but for the exports of a training: TensorFlow takes seconds to load."""
        above = {(module, name) for module, names in modules(lazy=True).items() for name in names
                 if name.split(".")[0] not in {module.split(".")[0]} | BELOW[module.split(".")[0]]}
        self.assertEqual({name for module, name in above if not module.startswith("train.")}, set())
        self.assertEqual({name for _, name in above}, {"export.convert"})


if __name__ == "__main__":
    unittest.main()
