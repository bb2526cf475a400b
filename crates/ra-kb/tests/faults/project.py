"""A project whose every document is known, so that every answer can be proved.

Each document has a word of its own for every version that it ever had, and one that all documents share. A search for
the words of now must find exactly the documents of now, and a search for the words of before must find nothing.
"""

from __future__ import annotations

import pathlib
import random
import shutil

from process import Failure, Outcome, Ra

# Nothing that matches is left out, and nothing else matches.
CONFIG = """\
root = true

[trees]
docs = "docs"

[search]
limit = 1000
cutoff_ratio = 0.0
max_candidates = 5000
fuzzy = false
relax = false
stemmer = "none"
"""

LETTERS = "bcdfghjklmnpqrstvwxz"
SHARED = "zebra"
# So many of the words that are gone are remembered; a query takes that many.
REMEMBERED = 12


class Project:
    """Documents on the disk, and what they hold."""

    def __init__(self, ra: Ra, directory: pathlib.Path, documents: int, seed: int = 1) -> None:
        self.ra = ra
        self.directory = directory
        self.index_path: pathlib.Path | None = None
        self.random = random.Random(seed)
        self.texts: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.gone: list[str] = []
        self.fresh: dict[str, str] = {}
        self.versions = 0
        self.names = 0
        directory.mkdir(parents=True, exist_ok=True)
        (directory / ".ra.toml").write_text(CONFIG)
        (directory / "docs").mkdir(exist_ok=True)
        for _ in range(documents):
            self.add()
        self.fresh.clear()

    @property
    def index(self) -> pathlib.Path:
        """The directory of the index, in the cache of the user who owns the project."""
        if self.index_path is None:
            outcome = self.ra.run(self.directory, "--json", "status")
            self.index_path = pathlib.Path(outcome.answer()["index"]["path"])
        return self.index_path

    def path(self, name: str) -> pathlib.Path:
        return self.directory / "docs" / name

    # What users do.

    def add(self) -> str:
        self.names += 1
        name = f"part{self.random.randrange(7)}/document{self.names}.md"
        self.write(name)
        return name

    def write(self, name: str) -> None:
        """Writes a new version of a document, in place, as an editor does."""
        self.forget(name)
        word = self.new_word()
        # A few are long, so that some updates take their time.
        paragraphs = 400 if self.random.random() < 0.03 else self.random.randint(1, 12)
        sections = [f"## Section {nr}\n\n{self.prose()}\n\n" for nr in range(paragraphs)]
        text = f"# {name}\n\n{SHARED} {word}\n\n{''.join(sections)}"
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(text)
        self.texts[name] = text
        self.words[name] = self.fresh[name] = word

    def remove(self, name: str) -> None:
        self.forget(name)
        self.path(name).unlink()
        del self.texts[name], self.words[name]

    def rename(self, name: str) -> None:
        """Gives a document another name; its words stay."""
        self.names += 1
        new = f"moved{self.names % 3}/document{self.names}.md"
        self.path(new).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).rename(self.path(new))
        self.texts[new] = self.texts.pop(name)
        self.words[new] = self.fresh[new] = self.words.pop(name)
        self.fresh.pop(name, None)

    def change(self) -> None:
        """One round of work: edits, a new document, a renamed and a removed one."""
        self.fresh.clear()
        names = self.random.sample(sorted(self.texts), 5)
        for name in names[: self.random.randint(1, 3)]:
            self.write(name)
        if self.random.random() < 0.5:
            self.rename(names[3])
        if self.random.random() < 0.5:
            self.remove(names[4])
            self.add()

    def forget(self, name: str) -> None:
        if name in self.words:
            self.gone = [*self.gone, self.words[name]][-REMEMBERED:]
            self.fresh.pop(name, None)

    def new_word(self) -> str:
        """A word that no document has had, of letters alone, so that it is one word to everybody."""
        self.versions += 1
        number, word = self.versions, ""
        for _ in range(6):
            number, digit = divmod(number, len(LETTERS))
            word += LETTERS[digit]
        return f"qx{word}"

    def prose(self) -> str:
        return " ".join("".join(self.random.choices(LETTERS, k=5)) for _ in range(40))

    # What must hold.

    def ask(self) -> list[str]:
        """A search for all documents, for those that changed, and for the words that are gone."""
        queries = [SHARED, *(" OR ".join(words) for words in (list(self.fresh.values()), self.gone) if words)]
        return ["--json", "search", "--list", "--no-aggregation", "--group", *queries]

    def expected(self) -> list[set[str]]:
        sets = [set(self.texts)]
        if self.fresh:
            sets.append(set(self.fresh))
        if self.gone:
            sets.append(set())
        return sets

    def wrong(self, outcome: Outcome) -> str | None:
        """What is wrong with an answer to `ask`."""
        found = [{result["path"] for result in query["results"]} for query in outcome.answer()["queries"]]
        for nr, (expected, got) in enumerate(zip(self.expected(), found, strict=True)):
            if expected != got:
                missing, extra = sorted(expected - got)[:5], sorted(got - expected)[:5]
                return f"query {nr} lacks {missing} and has {extra} too much"
        return None

    def prove(self, ra: Ra | None = None) -> None:
        """The next search is exactly right, is not out of date, and has touched nothing."""
        outcome = (ra or self.ra).run(self.directory, *self.ask())
        outcome.judge()
        wrong = self.wrong(outcome)
        if wrong:
            raise Failure(f"{wrong}\n{outcome.shown()}")
        stale = outcome.answer()["index"].get("stale")
        if stale:
            raise Failure(f"the answer is out of date although nothing stands in its way: {stale}")
        self.prove_untouched()

    def judge(self, outcome: Outcome) -> str:
        """Of a search under a fault: `right`, `old` when it says so itself, or `refused`. Raises otherwise."""
        outcome.judge()
        self.prove_untouched()
        if not outcome.started:
            return "not started"
        if outcome.refused:
            return "refused"
        wrong = self.wrong(outcome)
        if wrong is None:
            return "right"
        index = outcome.answer()["index"]
        if index.get("stale") or index.get("warnings"):
            return "old"
        raise Failure(f"{wrong}, and nothing is said about it\n{outcome.shown()}")

    def prove_untouched(self) -> None:
        """What the user wrote is there, to the byte, and nothing beside it."""
        files = {path for path in self.path("").rglob("*") if path.is_file()}
        if files != {self.path(name) for name in self.texts}:
            raise Failure(f"there are other documents than the user wrote: {files ^ {self.path(n) for n in self.texts}}")
        for name, text in self.texts.items():
            if self.path(name).read_text() != text:
                raise Failure(f"{name} was changed")
        beside = {path.name for path in self.directory.iterdir()} - {".ra.toml", "docs"}
        if beside or (self.directory / ".ra.toml").read_text() != CONFIG:
            raise Failure(f"the project was changed: {sorted(beside)}")

    # What the index directory holds.

    def files(self) -> list[pathlib.Path]:
        """Every file of the index, in order."""
        return sorted(path for path in self.index.rglob("*") if path.is_file())

    def prove_tidy(self) -> None:
        """After one more change there is one store, and nothing that somebody left behind."""
        self.change()
        self.prove()
        # The vectors of pages are made when there is time.
        others = (path.name for path in self.index.iterdir() if path.name != "page-vectors")
        names = sorted(name.split("-")[0] for name in others)
        if names != ["CURRENT", "lock", "store"]:
            raise Failure(f"the index directory holds {sorted(path.name for path in self.index.iterdir())}")

    def keep(self, aside: pathlib.Path) -> None:
        """Copies the index, for `restore`."""
        shutil.rmtree(aside, ignore_errors=True)
        shutil.copytree(self.index, aside)

    def restore(self, aside: pathlib.Path) -> None:
        shutil.rmtree(self.index, ignore_errors=True)
        shutil.copytree(aside, self.index)
