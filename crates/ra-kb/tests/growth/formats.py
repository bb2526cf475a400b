"""Documents of other formats than markdown that are made to cost, each of about n bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from inputs import CONFIG, Input, nested, numbered, repeated

Text = Callable[[int], str]


def root(piece: str) -> Text:
    """Lines of which each is longer than the one before by this piece."""
    return lambda size: "\n".join(piece * depth + "zebra" for depth in range(1, int((2 * size / len(piece)) ** 0.5)))


def lines(first: str, line: str, last: str = "") -> Text:
    return lambda size: first + numbered(line)(size) + last


HTML: dict[str, Text] = {
    "elements": nested("<div>", "</div>"),
    "open elements": repeated("<div><p>", "zebra"),
    "closing tags": repeated("</p></div>", "zebra"),
    "crossed tags": repeated("<b><i>a</b></i>", "zebra"),
    "open formatting": repeated("<p><b><i><u>", "zebra"),
    "lists": nested("<ul><li>", "</li></ul>"),
    "tables": nested("<table><tr><td>", "</td></tr></table>"),
    "cells": lines("<table><tr>", "<td>zebra@</td>"),
    "spans of cells": repeated("<table><tr><td colspan=9999 rowspan=9999>a</table>"),
    "rows": lines("<table>", "<tr><td>zebra@<td>a"),
    "quotes": nested("<blockquote>", "</blockquote>"),
    "main contents": repeated("<article><main><h1>a</h1>zebra</main></article>"),
    "navigation": repeated("<nav><a href=x>a</a></nav>", "zebra"),
    "links": nested("<a href=x>", "</a>"),
    "attributes": lambda size: "<p " + numbered("a@=b ")(size) + ">zebra",
    "classes": lambda size: '<p class="' + numbered("a@ ")(size) + '">zebra',
    "open comments": repeated("<!-- <!", "zebra"),
    "open scripts": repeated("<script><!-- <script>", "zebra"),
    "open titles": repeated("<title><textarea>", "zebra"),
    "declarations": repeated("<![CDATA[<?x", "zebra"),
    "entities": repeated("&amp;&#x1f600;&x", "zebra"),
    "anchors": numbered("<p id=a@>zebra"),
    "headings": numbered("<h2 id=h@>Heading @</h2><p>zebra"),
    "deep headings": repeated("<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>zebra</h6>"),
    "code": nested("<pre><code>", "</code></pre>"),
    "definitions": nested("<dl><dt>a<dd>", "</dl>"),
    "white space": repeated("<p> \n\t ", "zebra"),
}

RST: dict[str, Text] = {
    "indented": lambda size: "\n".join("  " * depth + "zebra\n" for depth in range(int(size**0.5))),
    "items": lambda size: "\n".join("  " * depth + "- zebra\n" for depth in range(int(size**0.5))),
    "markers": repeated("- ", "zebra"),
    "directives": lambda size: "\n".join("   " * depth + ".. note::\n" for depth in range(1, int((size / 2) ** 0.5))),
    "empty directives": repeated(".. note::\n\n"),
    "options": lines(".. figure:: x\n", "   :key@: zebra\n"),
    "backticks": repeated("`", "zebra"),
    "roles": repeated(":a:`", "zebra"),
    "literals": repeated("``a` ", "zebra"),
    "emphasis": repeated("*a **b ", "zebra"),
    "substitutions": lambda size: numbered("|s@| ")(size // 2) + "\n\n" + numbered(".. |s@| replace:: |s0|\n")(size // 2),
    "targets": lambda size: numbered("t@_ ")(size // 2) + "\n\n" + numbered(".. _t@: x\n")(size // 2),
    "anonymous": lambda size: "a__ " * (size // 8) + "\n\n" + "__ x\n" * (size // 10),
    "embedded": repeated("`a <", "zebra"),
    "underlines": repeated("a\n=\n\n"),
    "overlines": repeated("=\na\n=\n\n"),
    "sections": numbered("Heading @\n----------------\n\nzebra\n\n"),
    "tables": repeated("=== ===\na   b\n=== ===\nc   d\n=== ===\n\n"),
    "open tables": repeated("=== ===\na   b\n"),
    "grids": repeated("+-+-+\n|a|b|\n+-+-+\n\n"),
    "open grids": repeated("+-+-+\n|a|b|\n"),
    "wide grid": lambda size: f"{'+-' * (size // 8)}+\n{'|a' * (size // 8)}|\n{'+-' * (size // 8)}+\n\nzebra",
    "line blocks": repeated("| zebra\n"),
    "fields": numbered(":field@: zebra\n"),
    "toctree": lines(".. toctree::\n\n", "   page@\n"),
    "literal blocks": repeated("a::\n\n  b\n\n"),
    "comments": repeated("..\n  zebra\n"),
}

ASCIIDOC: dict[str, Text] = {
    "attributes": numbered(":a@: zebra\n\n{a@}\n\n"),
    "attribute bomb": lambda size: ":a0: zebra\n" + "".join(
        f":a{nr}: {{a{nr - 1}}}{{a{nr - 1}}}\n" for nr in range(1, size // 20)
    ) + f"\n{{a{size // 20 - 1}}}\n",
    "blocks": lambda size: "\n".join("=" * length for length in range(4, int((2 * size) ** 0.5))),
    "open blocks": repeated("----\na\n====\n", "zebra"),
    "styles": repeated("[source,ruby]\n"),
    "items": root("*"),
    "markers": repeated("* ", "zebra"),
    "continuations": repeated("* a\n+\nb\n"),
    "tables": repeated("|===\n|a |b\n|c |d\n|===\n\n"),
    "open tables": repeated("|===\n|a |b\n"),
    "columns": lambda size: "|===\n" + "|a " * (size // 3) + "\n|===\n\nzebra",
    "emphasis": repeated("*a _b `c #d ", "zebra"),
    "links": repeated("link:a[", "zebra"),
    "references": repeated("<<a,", "zebra"),
    "anchors": numbered("[[a@]]\nzebra\n\n"),
    "open anchors": repeated("[[", "zebra"),
    "footnotes": repeated("footnote:[a ", "zebra"),
    "passes": repeated("pass:[a ++b ", "zebra"),
    "conditions": repeated("ifdef::a[]\n", "zebra"),
    "includes": repeated("include::a.adoc[]\n", "zebra"),
    "sections": numbered("== Heading @\n\nzebra\n\n"),
    "definitions": root("a:: "),
    "comments": repeated("////\na\n", "zebra"),
}

ORG: dict[str, Text] = {
    "headlines": root("*"),
    "sections": numbered("** Heading @ :tag@:\nzebra\n"),
    "drawers": repeated(":PROPERTIES:\n", "zebra"),
    "properties": lines("* A\n:PROPERTIES:\n", ":key@: zebra\n", ":END:\n"),
    "open blocks": repeated("#+begin_src\n#+begin_quote\n", "zebra"),
    "blocks": repeated("#+begin_quote\na\n#+end_quote\n"),
    "items": lambda size: "\n".join("  " * depth + "- zebra" for depth in range(int(size**0.5))),
    "links": repeated("[[a][b", "zebra"),
    "nested links": nested("[[", "]]"),
    "emphasis": repeated("*a /b =c ~d +e _f ", "zebra"),
    "macros": repeated("{{{a(", "zebra"),
    "footnotes": repeated("[fn::a ", "zebra"),
    "tables": repeated("|a|b|\n|-+-|\n|c|d|\n\n"),
    "columns": lambda size: "|a" * (size // 2) + "|\n",
    "keywords": numbered("#+KEY@: zebra\n"),
    "tags": lambda size: "* A " + numbered(":t@")(size) + ":\nzebra",
    "comments": repeated("* COMMENT a\n** b\n"),
    "targets": numbered("<<t@>> "),
    "times": repeated("<2025-01-01 ", "zebra"),
}

def notebook(cells: str) -> str:
    return '{"nbformat": 4, "metadata": {}, "cells": [' + cells + "]}"


def listed(before: str, item: str, after: str) -> Text:
    """A notebook with a list in which the same item is over and over."""
    return lambda size: notebook(before + ", ".join([item] * (size // len(item))) + after)


NOTEBOOKS: dict[str, Text] = {
    "cells": listed("", '{"cell_type": "markdown", "source": ["# Heading\\n", "zebra"]}', ""),
    "lines": listed('{"cell_type": "code", "source": [', '"zebra\\n"', "]}"),
    "outputs": listed(
        '{"cell_type": "code", "source": "a", "outputs": [', '{"output_type": "stream", "text": "zebra"}', "]}"
    ),
    "nested arrays": lambda size: notebook("[" * (size // 2) + "]" * (size // 2)),
    "nested objects": lambda size: notebook('{"a":' * (size // 6) + "0" + "}" * (size // 6)),
    "broken": lambda size: '{"cells": [' + '{"cell_type": "markdown", "source": ["zebra' * (size // 43),
    "escapes": lambda size: notebook('{"cell_type": "markdown", "source": "' + "\\u00e9\\n" * (size // 8) + '"}'),
    "attachments": lambda size: notebook(
        '{"cell_type": "markdown", "source": "zebra", "attachments": {"a": 0' + numbered(', "a@": {}')(size) + "}}"
    ),
}


def glyphs(place: Callable[[int], str], scale: int = 8) -> Callable[[int], bytes]:
    """A page of single letters. `place` gives the size and the position of each."""
    return lambda size: pdf("".join(f"/F1 {place(nr)} Tm (a) Tj\n" for nr in range(scale * size // 40)))


PDF: dict[str, Callable[[int], bytes]] = {
    "one line from the right": glyphs(lambda nr: f"10 Tf 1 0 0 1 {900_000 - 20 * nr} 100"),
    "sizes": glyphs(lambda nr: f"{1 + nr % 999 / 10} Tf 1 0 0 1 {20 * nr} 100"),
    "one column": glyphs(lambda nr: f"10 Tf 1 0 0 1 100 {20 * nr}"),
    "diagonal": glyphs(lambda nr: f"10 Tf 1 0 0 1 {5 * nr} {5 * nr}"),
    "one place": glyphs(lambda nr: "10 Tf 1 0 0 1 100 100"),
    "scattered": glyphs(lambda nr: f"10 Tf 1 0 0 1 {nr * 7919 % 600} {nr * 104729 % 800}"),
    "turned": glyphs(lambda nr: f"10 Tf 0 1 -1 0 {nr * 7919 % 600} {nr * 104729 % 800}"),
    "columns": glyphs(lambda nr: f"10 Tf 1 0 0 1 {nr % 40 * 15} {nr // 40 * 12}"),
    "divided words": lambda size: pdf("".join(
        f"1 0 0 1 10 {9 * nr} Tm (one zebra word{nr}-) Tj\n" for nr in range(size // 40, 0, -1)), "/F1 8 Tf "),
    "saved states": lambda size: pdf("q " * (size // 2)),
    "marks": lambda size: pdf("/X <</MCID 1>> BDC " * (size // 19)),
}


def pdf(drawing: str, before: str = "") -> bytes:
    content = f"BT {before}{drawing} ET"
    return (
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [4 0 R] /Count 1 >>\n"
        "endobj\n3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n4 0 obj\n<< /Type /Page /Parent 2 0 R"
        " /MediaBox [0 0 1000000 1000000] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n5 0 obj\n<< /Length "
        f"{len(content)} >>\nstream\n{content}\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"
    ).encode()


def archive(parts: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return data.getvalue()


def docx(body: Text, styles: Text = lambda size: "", relations: Text = lambda size: "") -> Callable[[int], bytes]:
    first = '<Relationships><Relationship Id="1" Type="x/officeDocument" Target="word/document.xml"/></Relationships>'
    return lambda size: archive({
        "_rels/.rels": first,
        "word/document.xml": f"<w:document><w:body>{body(size)}</w:body></w:document>",
        "word/styles.xml": f"<w:styles>{styles(size)}</w:styles>",
        "word/_rels/document.xml.rels": f"<Relationships>{relations(size)}</Relationships>",
    })


PARAGRAPH = "<w:p><w:r><w:t>zebra</w:t></w:r></w:p>"
DOCX: dict[str, Callable[[int], bytes]] = {
    "paragraphs": docx(repeated(PARAGRAPH)),
    "runs": docx(lambda size: f"<w:p>{'<w:r><w:t>a</w:t></w:r>' * (size // 23)}</w:p>"),
    "tables": docx(nested("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>")),
    "cells": docx(lambda size: f"<w:tbl><w:tr>{'<w:tc><w:p/></w:tc>' * (size // 19)}</w:tr></w:tbl>{PARAGRAPH}"),
    "open elements": docx(repeated("<w:p><w:r>", "zebra")),
    "styles": docx(
        numbered('<w:p><w:pPr><w:pStyle w:val="s@"/></w:pPr><w:r><w:t>zebra</w:t></w:r></w:p>'),
        numbered('<w:style w:styleId="s@"><w:basedOn w:val="s0"/></w:style>'),
    ),
    "chain of styles": docx(
        numbered('<w:p><w:pPr><w:pStyle w:val="s@"/></w:pPr><w:r><w:t>zebra</w:t></w:r></w:p>'),
        lambda size: "".join(
            f'<w:style w:styleId="s{nr}"><w:basedOn w:val="s{nr + 1}"/></w:style>' for nr in range(size // 60)),
    ),
    "links": docx(
        numbered('<w:p><w:hyperlink r:id="r@"><w:r><w:t>zebra</w:t></w:r></w:hyperlink></w:p>'),
        relations=numbered('<Relationship Id="r@" Type="x/hyperlink" Target="x"/>'),
    ),
    "fields": docx(repeated('<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "x"</w:instrText></w:r>')),
    "bookmarks": docx(numbered('<w:p><w:bookmarkStart w:name="b@"/><w:r><w:t>zebra</w:t></w:r></w:p>')),
}


def odt(body: Text) -> Callable[[int], bytes]:
    return lambda size: archive({
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": "<office:document-content><office:body><office:text>" + body(size)
        + "</office:text></office:body></office:document-content>",
    })


ODT: dict[str, Callable[[int], bytes]] = {
    "paragraphs": odt(repeated("<text:p>zebra</text:p>")),
    "lists": odt(nested("<text:list><text:list-item>", "</text:list-item></text:list>")),
    "tables": odt(nested("<table:table><table:table-row><table:table-cell>", "</table:table-cell></table:table-row></table:table>")),
    "repeated cells": odt(lambda size: "<table:table><table:table-row>" + '<table:table-cell table:number-columns-repeated="9999">'
        "<text:p>a</text:p></table:table-cell>" * (size // 90) + "</table:table-row></table:table>"),
    "repeated spaces": odt(repeated('<text:p>zebra<text:s text:c="9999999"/></text:p>')),
    "spans": odt(nested("<text:span>", "</text:span>")),
    "notes": odt(repeated("<text:p>zebra<text:note><text:note-body><text:p>a</text:p></text:note-body></text:note></text:p>")),
}


def epub(chapters: Callable[[int], dict[str, str]], listed: Callable[[int], int] = lambda size: 1) -> Callable[[int], bytes]:
    """A book. `listed` gives the number of times that its list of chapters is repeated."""

    def book(size: int) -> bytes:
        files = chapters(size)
        items = "".join(f'<item id="i{nr}" href="{name}" media-type="application/xhtml+xml"/>' for nr, name in enumerate(files))
        spine = "".join(f'<itemref idref="i{nr}"/>' for nr in range(len(files))) * listed(size)
        return archive({
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
            "a.opf": f"<package><metadata/><manifest>{items}</manifest><spine>{spine}</spine></package>",
            **files,
        })

    return book


EPUB: dict[str, Callable[[int], bytes]] = {
    "chapters": epub(lambda size: {f"c{nr}.xhtml": f"<h1>Chapter {nr}</h1><p>zebra" for nr in range(size // 200)}),
    "same chapter": epub(lambda size: {"c.xhtml": "<p>zebra"}, lambda size: size // 24),
    "one chapter": epub(lambda size: {"c.xhtml": numbered("<h2 id=a@>Heading</h2><p><a href='#a@'>zebra</a>")(size)}),
    "links between chapters": epub(lambda size: {
        f"c{nr}.xhtml": f"<h1 id=a>Chapter {nr}</h1><p><a href='c{nr // 2}.xhtml#a'>zebra</a>" for nr in range(size // 300)
    }),
}


def document(name: str, content: Callable[[int], str | bytes]) -> Callable[[int], Input]:
    return lambda size: Input({".ra.toml": CONFIG, f"docs/{name}": content(size), "docs/b.md": "# Lion\n\nzebra\n"})


FORMATS: dict[str, dict[str, Callable[[int], str | bytes]]] = {
    "html": HTML, "rst": RST, "adoc": ASCIIDOC, "org": ORG, "ipynb": NOTEBOOKS, "pdf": PDF, "docx": DOCX, "odt": ODT,
    "epub": EPUB,
}

CASES: dict[str, Callable[[int], Input]] = {
    f"{extension} {name}": document(f"a.{extension}", content)
    for extension, cases in FORMATS.items()
    for name, content in cases.items()
}
