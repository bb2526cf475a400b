"""The parts of the benchmark that can be wrong without anybody noticing: arithmetic, choice and generation."""

from __future__ import annotations

import itertools
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import docs, generate, measure, plot, queries, report, scale, scratch, special, targets  # noqa: E402
from harness.errors import BenchError  # noqa: E402

import fts5  # noqa: E402  (a floor; `harness.ra` has put their folder on the path)
import sections  # noqa: E402

TEXT = """# Watering plants

Watering keeps the plants of every garden alive during the long and dry summer. A gardener waters early in the
morning, because evaporation wastes whatever is poured at noon.

## Fertiliser

Nitrogen feeds leaves while phosphorus feeds roots and blossoms in spring. Compost holds both of these.

## Pruning

Branches that cross each other are taken away before the buds begin to open. Secateurs must be sharp.
"""


def originals(number: int) -> list[generate.Original]:
    # Letters only, because the generator and the counter take words and not numbers.
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    names = ["".join(letters) for letters in itertools.islice(itertools.product(alphabet, repeat=3), number)]
    return [
        generate.Original(f"plants/{name}.md", TEXT + f"\nSpecimen{name} grows beside variety{name} here.\n", 3)
        for name in names
    ]


class Arithmetic(unittest.TestCase):
    def test_percentiles_are_values_that_were_measured(self) -> None:
        values = [5.0, 1.0, 4.0, 2.0, 3.0]
        self.assertEqual([measure.percentile(values, part) for part in (0.0, 0.5, 0.99, 1.0)], [1.0, 3.0, 5.0, 5.0])
        self.assertEqual(measure.percentile(list(range(1, 101)), 0.99), 99)

    def test_the_median_of_an_even_number_lies_between_two(self) -> None:
        self.assertEqual(measure.median([4.0, 1.0, 2.0, 3.0]), 2.5)
        self.assertEqual(measure.median([3.0, 1.0, 2.0]), 2.0)

    def test_nothing_has_no_median(self) -> None:
        self.assertRaises(ValueError, measure.median, [])
        self.assertRaises(ValueError, measure.percentile, [], 0.5)

    def test_growth_is_the_slope_of_the_logarithms(self) -> None:
        sizes = [1e3, 1e4, 1e5]
        self.assertAlmostEqual(measure.exponent(sizes, [2e3, 2e4, 2e5]), 1.0)
        self.assertAlmostEqual(measure.exponent(sizes, [7.0, 7.0, 7.0]), 0.0)
        self.assertAlmostEqual(measure.exponent(sizes, [1e6, 1e8, 1e10]), 2.0)
        self.assertRaises(ValueError, measure.exponent, [1e3, 1e3], [1.0, 2.0])

    def test_a_bound_holds_up_to_the_bound(self) -> None:
        self.assertTrue(targets.Verdict("t", 30.0, 30, "ms").passed)
        self.assertFalse(targets.Verdict("t", 30.1, 30, "ms").passed)

    def test_sizes_are_read_and_others_are_refused(self) -> None:
        self.assertEqual([scale.number(size) for size in ("1k", "500k", "2500")], [1000, 500_000, 2500])
        self.assertRaises(BenchError, scale.number, "many")


class Launching(unittest.TestCase):
    def test_a_process_is_measured_and_a_failure_told(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            place = scratch.Scratch(directory, keep=False)
            launcher = measure.Launcher(place)
            self.addCleanup(launcher.close)
            run = launcher.run([sys.executable, "-c", "import os; print(os.environ['HOME'])"], place.root)
            self.assertEqual(run.output.strip(), str(place.root / "home"))
            self.assertGreater(run.seconds, 0)
            self.assertGreater(run.peak, 1_000_000)
            with self.assertRaisesRegex(BenchError, "ended with 3: gone wrong"):
                launcher.run([sys.executable, "-c", "import sys; print('gone wrong', file=sys.stderr); sys.exit(3)"], place.root)
            with self.assertRaises(BenchError):
                launcher.run(["/nowhere/at/all"], place.root)


class Generation(unittest.TestCase):
    def test_a_corpus_is_always_the_same(self) -> None:
        one, two = (list(generate.Generator(originals(20)).of_chunks(200)) for _ in range(2))
        self.assertEqual(one, two)

    def test_the_order_of_the_originals_does_not_matter(self) -> None:
        one = list(generate.Generator(originals(20)).of_chunks(200))
        self.assertEqual(one, list(generate.Generator(originals(20)[::-1]).of_chunks(200)))

    def test_a_smaller_corpus_is_the_beginning_of_a_larger_one(self) -> None:
        generator = generate.Generator(originals(20))
        small, large = list(generator.of_chunks(90)), list(generator.of_chunks(300))
        self.assertEqual(small, large[: len(small)])
        self.assertEqual(sum(document.chunks for document in small), 90)

    def test_paths_are_unique_and_headings_stay(self) -> None:
        made = list(generate.Generator(originals(20)).of_chunks(300))
        self.assertEqual(len({document.path for document in made}), len(made))
        for document in made:
            self.assertEqual(document.text.count("\n## "), 2)

    def test_every_copy_brings_new_words_and_later_ones_fewer(self) -> None:
        generator = generate.Generator(originals(400))
        seen: set[str] = set()
        news = []
        for copy in range(6):
            words = {word for document in itertools.islice(generator.documents(), copy * 400, copy * 400 + 400)
                     for word in generate.WORD.findall(document.text.lower())}
            news.append(len(words - seen))
            seen |= words
        self.assertTrue(all(number > 0 for number in news), news)
        self.assertGreater(news[1], news[5] * 1.2)

    def test_made_up_words_differ_and_are_words(self) -> None:
        words = [generate.made_up(f"{copy}:word{nr}") for copy in range(3) for nr in range(1000)]
        self.assertGreater(len(set(words)), 2990)
        self.assertTrue(all(word.isalpha() and word.islower() for word in words))

    def test_capitals_stay_capitals(self) -> None:
        self.assertEqual(generate.substitute("Water the water", {"water": "milk"}), "Milk the milk")

    def test_front_matter_is_left_out_of_joined_files(self) -> None:
        copy = generate.Copy("a.md", "---\ntitle: x\n---\n\n# A\n", 1)
        self.assertEqual(special.plain(copy), "\n# A\n")


class Queries(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        generator = generate.Generator(originals(60))
        self.files = generate.write(generator.of_chunks(900), pathlib.Path(directory.name))
        self.statistics = queries.count(self.files)

    def test_there_are_twelve_kinds_and_each_gives_queries(self) -> None:
        chosen = queries.Chooser(self.statistics, "two").every_kind(3)
        self.assertEqual(len(chosen), 12)
        for kind, some in chosen.items():
            self.assertTrue(some, kind)
            self.assertTrue(all(query.kind == kind for query in some))

    def test_the_same_corpus_gives_the_same_queries(self) -> None:
        one, two = (queries.Chooser(queries.count(self.files), "two").every_kind(3) for _ in range(2))
        self.assertEqual(one, two)

    def test_typos_and_missing_words_are_in_no_section(self) -> None:
        chooser = queries.Chooser(self.statistics, "two")
        for kind in ("typo", "no hit"):
            for query in chooser.of(kind, 5):
                self.assertNotIn(query.every[0], self.statistics.counts)

    def test_a_query_speaks_the_language_of_each_tool(self) -> None:
        query = queries.Query("negation", every=("rose",), without=("thorn",), tree="two")
        self.assertEqual(query.text(), "rose -thorn")
        self.assertEqual(query.arguments(), ["--tree", "two", "--", "rose -thorn"])
        self.assertEqual(query.tool_arguments(), {"queries": "rose -thorn", "trees": ["two"]})
        self.assertEqual(fts5.expression(query.parts() or {}), '("rose") NOT "thorn"')
        self.assertIsNone(query.pattern())
        phrase = queries.Query("phrase", phrase=("dry", "summer"))
        self.assertEqual((phrase.text(), phrase.pattern()), ('"dry summer"', r"\bdry summer\b"))
        self.assertEqual(queries.Query("OR", some=("a", "b")).text(), "a OR b")
        self.assertEqual(queries.Query("field", title=("rose",)).text(), "title:rose")

    def test_too_few_words_are_told(self) -> None:
        with self.assertRaises(BenchError):
            queries.Chooser(queries.count(self.files[:0]), "two")

    def test_sections_are_cut_at_their_lines(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            listed = pathlib.Path(directory) / "sections"
            path = str(self.files[0])
            sections.write_list(listed, [sections.Place("one", path, "a.md", "A", 1, 5), sections.Place("one", path, "a.md", "B", 6, 9)])
            cut = list(sections.cut(sections.read_list(str(listed))))
        text = self.files[0].read_text()
        self.assertTrue(text.startswith(cut[0].body + "\n" + cut[1].body))


class Reports(unittest.TestCase):
    def test_a_plot_is_well_formed(self) -> None:
        lines = [plot.Line("a < b", [(1e3, 2.0), (1e5, 90.0)]), plot.Line("c", [(1e3, 1.9), (1e5, 91.0)])]
        panels = [plot.Panel("Index & size", "ms", lines), plot.Panel("One value", "s", [plot.Line("d", [(10, 1)])])]
        root = xml.etree.ElementTree.fromstring(plot.draw(panels))
        self.assertTrue(root.tag.endswith("svg"))

    def test_labels_do_not_lie_on_each_other(self) -> None:
        ordered = sorted(plot.spread([10.0, 11.0, 12.0, 80.0], 15))
        self.assertTrue(all(after - before >= 14.999 for before, after in zip(ordered, ordered[1:])))

    def test_axes_enclose_the_values(self) -> None:
        self.assertEqual(plot.decades([0.2, 35.0]), (-1, 2))
        self.assertEqual(plot.decades([100.0]), (2, 3))
        self.assertEqual([plot.label(power) for power in (-1, 0, 2, 3, 5, 6)], ["0.1", "1", "100", "1k", "100k", "1M"])

    def test_tables_are_markdown(self) -> None:
        self.assertEqual(report.table(["A", "B"], [["x", "1"]]), "| A | B |\n| --- | ---: |\n| x | 1 |\n")
        self.assertEqual([report.number(value) for value in (1234.5, 12.34, 1.234)], ["1,234", "12.3", "1.23"])

    def test_the_page_has_a_place_for_everything(self) -> None:
        text = docs.TEMPLATE.read_text(encoding="utf-8")
        for name in ("compare_on", "floors", "compare_targets", "index", "cold", "served", "other", "scale_on", "scale_targets", "scale"):
            self.assertIn(f"{{{{{name}}}}}", text)


if __name__ == "__main__":
    unittest.main()
