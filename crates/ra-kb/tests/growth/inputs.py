"""Input that is made to cost: documents, configurations and queries, each of about n bytes or items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

CONFIG = 'root = true\n[trees]\ndocs = "docs"\n'


@dataclass(frozen=True)
class Input:
    files: dict[str, str | bytes]
    commands: list[list[str]] = field(default_factory=lambda: [["search", "zebra"], ["check"]])


def repeated(piece: str, after: str = "") -> Callable[[int], str]:
    """The same piece over and over: n bytes of it."""
    return lambda size: piece * (size // len(piece)) + after


def nested(opening: str, closing: str) -> Callable[[int], str]:
    def text(size: int) -> str:
        depth = size // (len(opening) + len(closing))
        return opening * depth + "zebra" + closing * depth

    return text


def numbered(piece: str) -> Callable[[int], str]:
    """A piece with a number of its own each time."""
    return lambda size: "".join(piece.replace("@", str(nr)) for nr in range(size // (len(piece) + 4)))


def halves(first: Callable[[int], str], second: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: first(size // 2) + "\n\n" + second(size // 2)


def front_matter(inside: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: f"---\n{inside(size)}\n---\n\nzebra\n"


MARKDOWN: dict[str, Callable[[int], str]] = {
    "nested quotes": lambda size: "\n".join("> " * depth + "zebra" for depth in range(int((size * 1) ** 0.5))),
    "deep quote": repeated("> ", "zebra"),
    "nested lists": lambda size: "\n".join("  " * depth + "- zebra" for depth in range(int(size**0.5))),
    "deep list": repeated("- ", "zebra"),
    "long list": numbered("@. zebra\n"),
    "emphasis": repeated("*a **a ", "zebra"),
    "underscores": repeated("_a__b___c"),
    "nested emphasis": nested("*a _b ", "_ c*"),
    "brackets": repeated("[", "zebra"),
    "nested links": nested("[a", "](x)"),
    "nested images": nested("![a", "](x)"),
    "open links": repeated("[a](", "zebra"),
    "wiki links": repeated("[[a]](", "zebra"),
    "wiki pages": numbered("[[page@|zebra]] "),
    "references": lambda size: numbered("[r@] ")(size // 2) + "\n\n" + numbered("[r@]: x\n")(size // 2),
    "same reference": halves(repeated("[r] "), repeated("[r]: x\n")),
    "comments of Obsidian": lambda size: repeated("%% ", "zebra")(8 * size),
    "footnotes": halves(numbered("zebra[^@] "), numbered("[^@]: note\n\n")),
    "table rows": lambda size: "|a|b|\n|-|-|\n" + "|zebra|b|\n" * (size // 10),
    "table columns": lambda size: "|a" * (size // 6) + "|\n" + "|-" * (size // 6) + "|\n" + "|b" * (size // 6) + "|\n",
    "many tables": repeated("|a|b|\n|-|-|\n|c|d|\n\n"),
    "html": repeated("<div>\n<!-- ", "zebra"),
    "blank lines in a comment": lambda size: "# A\n\n<!-- zebra\n" + "\n" * size + "-->\n",
    "unclosed tags": repeated("<a ", "zebra"),
    "types in a heading": lambda size: "# " + "Promise<void> " * (size // 14) + "\n\nzebra\n",
    "entities": repeated("&amp;&#35;&x;", "zebra"),
    "code fences": repeated("```\na\n```\n~~~\n", "zebra"),
    "backticks": lambda size: " ".join("`" * run for run in range(int((2 * size) ** 0.5))),
    "headings": numbered("## Heading @\n\nzebra\n\n"),
    "same headings": repeated("## Same\n\nzebra\n\n"),
    "deep headings": repeated("# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n#### D\n\nd\n\n##### E\n\ne\n\n###### F\n\nzebra\n\n"),
    "long title above": lambda size: "# " + "word " * (size // 10) + "\n\n" + "## Below\n\nzebra\n\n" * (size // 36),
    "setext": repeated("a\n=\n", "zebra"),
    "one long line": repeated("zebra lion "),
    "one long word": repeated("zebra"),
    "camel case": repeated("zebraLion"),
    "no spaces": repeated("容器镜像"),
    "marks": lambda size: "zebra a" + "\u0301" * (size // 2),
    "blank lines": repeated("\n", "zebra"),
    "backslashes": repeated("\\", "zebra"),
    "inline tags": numbered("#tag@ "),
    "deep inline tag": lambda size: "zebra #" + "a/" * (size // 2) + "a",
    "tags and sections": halves(numbered("#tag@ "), repeated("## A\n\nzebra\n\n")),
    "front matter tags": front_matter(lambda size: "tags: [" + ", ".join(f"tag{nr}" for nr in range(size // 9)) + "]"),
    "deep tag": front_matter(lambda size: "tags: " + "a/" * (size // 2) + "a"),
    "aliases": front_matter(lambda size: "aliases: [" + ", ".join(f"name {nr}" for nr in range(size // 10)) + "]"),
    "long description": front_matter(lambda size: "description: " + "word " * (size // 5)),
    "anchors": front_matter(lambda size: "a0: &a0 x\n" + "".join(f"a{nr}: *a0\n" for nr in range(1, size // 10))),
    "alias bomb": front_matter(
        lambda size: "a0: &a0 [x, x]\n" + "".join(f"a{nr}: &a{nr} [*a{nr - 1}, *a{nr - 1}]\n" for nr in range(1, size // 30))
    ),
    "nested yaml": front_matter(lambda size: "a: " + "[" * (size // 2) + "]" * (size // 2)),
    "unclosed matter": lambda size: "---\n" + "key: zebra\n" * (size // 11),
    "toml matter": lambda size: "+++\n" + "".join(f"k{nr} = 1\n" for nr in range(size // 10)) + "+++\n\nzebra\n",
}


def documents(text: Callable[[int], str]) -> Callable[[int], Input]:
    return lambda size: Input({".ra.toml": CONFIG, "docs/a.md": text(size), "docs/b.md": "# Lion\n\nzebra\n"})


def configuration(text: Callable[[int], str]) -> Callable[[int], Input]:
    """About one entry for every forty bytes."""
    commands = [["search", "zebra"], ["context", "docs/a.md"]]
    return lambda size: Input({".ra.toml": text(size // 40), "docs/a.md": "# Lion\n\nzebra zebra\n"}, commands)


def globs(count: int) -> str:
    return ", ".join(f'"dir{nr}/**/*.md"' for nr in range(count))


def entries(line: str) -> Callable[[int], str]:
    return lambda count: "".join(line.replace("@", str(nr)) + "\n" for nr in range(count))


CONFIGURATIONS: dict[str, Callable[[int], str]] = {
    "exclude globs": lambda count: f'root = true\n[trees]\ndocs = {{ path = "docs", exclude = [{globs(count)}] }}\n',
    "include globs": lambda count: f'root = true\n[trees]\ndocs = {{ path = "docs", include = ["*.md", {globs(count)}] }}\n',
    "long glob": lambda count: f'root = true\n[trees]\ndocs = {{ path = "docs", exclude = ["{"*a" * (10 * count)}"] }}\n',
    "added includes": lambda count: CONFIG + entries('[[include]]\ntree = "docs"\npattern = "a@/*.md"')(count // 2),
    "trees": lambda count: 'root = true\n[trees]\ndocs = "docs"\n' + entries('t@ = "docs"')(count // 20),
    "synonyms": lambda count: CONFIG + "[search.synonyms]\n" + entries('zebra@ = ["lion", "big cat"]')(count),
    "long synonym": lambda count: CONFIG + f'[search.synonyms]\nzebra = ["{"lion " * (8 * count)}"]\n',
    "context patterns": lambda count: CONFIG + "[context.patterns]\n" + entries('"*.x@" = ["lion"]')(count),
    "context rules": lambda count: CONFIG + entries('[[context.rules]]\nmatch = "x@/**"\nterms = ["lion"]')(count // 2),
    "unknown keys": lambda count: CONFIG + "[search]\n" + entries("key@ = 1")(count),
    "nested arrays": lambda count: CONFIG + "[search]\nlimit = " + "[" * (20 * count) + "]" * (20 * count) + "\n",
}


def query(text: Callable[[int], str], *flags: str) -> Callable[[int], Input]:
    """A query, as long as a command line may be."""

    def given(size: int) -> Input:
        # Linux takes 128 KB for one argument.
        asked = text(size).encode()[:120_000].decode(errors="ignore")
        files = {f"docs/{nr}.md": f"# Section {nr}\n\nzebra lion{nr} word{nr % 7}\n" for nr in range(200)}
        return Input({".ra.toml": CONFIG, **files}, [["search", *flags, "--", asked]])

    return given


QUERIES: dict[str, Callable[[int], Input]] = {
    "words": query(numbered("lion@ ")),
    "unknown words": query(numbered("qwertz@x ")),
    "lines": query(numbered("lion@\n")),
    "exclusions": query(lambda size: "zebra " + numbered("-lion@ ")(size)),
    "phrases": query(numbered('"zebra lion@" ')),
    "long phrase": query(lambda size: '"' + "zebra " * (size // 6) + '"'),
    "alternatives": query(lambda size: " OR ".join(f"lion{nr}" for nr in range(size // 12))),
    "parentheses": query(nested("(", ")")),
    "open parentheses": query(repeated("(", "zebra")),
    "nested exclusions": query(lambda size: "zebra " + nested("-(a ", ")")(size)),
    "fields": query(numbered("title:lion@ ")),
    "boosts": query(numbered("lion@^2 ")),
    "long query word": query(repeated("zebra")),
    "long letters": query(repeated("qwertzuiop")),
    "joined words": query(repeated("zebra-lion_")),
    "unspaced query": query(repeated("容器镜像")),
    "stars": query(numbered("lion@* ")),
    "quotes": query(repeated('"', "zebra")),
    "colons": query(repeated("a:", "zebra")),
    "backslashes": query(repeated("\\", "zebra")),
    "bars": query(repeated("x||", "zebra")),
    "open calls": query(repeated("a(", "zebra")),
    "raw parentheses": query(nested("(", ")"), "--raw"),
    "raw open": query(repeated("(", "zebra"), "--raw"),
    "raw words": query(numbered("lion@ "), "--raw"),
    "raw signs": query(repeated("+-", "zebra"), "--raw"),
}


def citing(text: Callable[[int], str]) -> Callable[[int], Input]:
    """A text with citations."""
    files = {".ra.toml": CONFIG, "docs/a.md": "# Lion\n\nzebra\n"}
    return lambda size: Input({**files, "report.txt": text(size)}, [["verify", "report.txt"]])


CITATIONS: dict[str, Callable[[int], Input]] = {
    "incomplete proofs": citing(repeated("x@beef.")),
    "incomplete citations": citing(repeated("docs:x@beef,")),
    "citations in one word": citing(repeated("docs:a.md@0123456789abcd:1-3;")),
    "colons and trees": citing(repeated("docs:@")),
}

CASES: dict[str, Callable[[int], Input]] = {
    **{name: documents(text) for name, text in MARKDOWN.items()},
    **CITATIONS,
    **{name: configuration(text) for name, text in CONFIGURATIONS.items()},
    **QUERIES,
}
