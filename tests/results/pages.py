"""The page of invented results: well-formed, nothing of a name becomes markup, places in plots are those of the values.

    pages.py WRITE_PAGE"""

import functools
import math
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

WRITE_PAGE = sys.argv.pop(1)
SVG = "{http://www.w3.org/2000/svg}"
CASES = ["full", "exact", "one", "hostile", "strange", "empty", "memory", "extreme", "compared"]
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "div", "nav", "a", "section", "ul", "li", "b", "span",
    "details", "summary", "table", "tr", "th", "td", "figure", "script",
    SVG + "svg", SVG + "g", SVG + "path", SVG + "line", SVG + "rect", SVG + "text", SVG + "tspan", SVG + "title",
}


@functools.cache
def page(case):
    return subprocess.run([WRITE_PAGE, case], stdout=subprocess.PIPE, check=True, timeout=200).stdout.decode()


@functools.cache
def tree(case):
    """Pages are XML as well, but for what stands in <style> and <script>."""
    text = re.sub(r"<(style|script)>.*?</\1>", r"<\1></\1>", page(case), flags=re.DOTALL)
    return xml.fromstring(text.replace("<!DOCTYPE html>", ""))


def figures(root, words=""):
    return [svg for figure in root.iter("figure") for svg in figure.iter(SVG + "svg") if words in svg.get("aria-label")]


def number(element, name):
    return float(element.get(name))


def place(spot):
    return [float(word) for word in re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", spot.get("transform")).groups()]


def spots(svg):
    return [spot for spot in svg.iter(SVG + "path") if spot.get("data-x")]


def labels(svg, look):
    below = 4 if look == "y" else 0  # the line on which letters stand, under the tick
    return {number(text, "data-value"): number(text, look) - below for text in svg.iter(SVG + "text")
            if text.get("class") == look + " label"}


def between(ends, value):
    """Where the value lies among logarithms, when two of its neighbours lie where these say."""
    (low, at_low), (high, at_high) = ends
    return at_low + (math.log(value) - math.log(low)) / (math.log(high) - math.log(low)) * (at_high - at_low)


class Pages(unittest.TestCase):
    def test_are_well_formed_and_hold_known_elements_only(self):
        for case in CASES:
            with self.subTest(case):
                self.assertLessEqual({element.tag for element in tree(case).iter()}, ALLOWED)

    def test_need_no_network(self):
        for case in CASES:
            addresses = set(re.findall(r"(?:https?:)?//[\w.]+[^\"'\s]*", page(case)))
            self.assertLessEqual(addresses, {"http://www.w3.org/2000/svg"})
            self.assertNotRegex(page(case), r"\b(?:src|srcset|@import)\b=")

    def test_run_no_script_but_their_own(self):
        for case in CASES:
            root = tree(case)
            self.assertEqual(len(list(root.iter("script"))), 1)
            self.assertFalse([name for element in root.iter() for name in element.attrib if name.startswith("on")])

    def test_show_hostile_names_as_text(self):
        headings = [heading.text for heading in tree("hostile").iter("h2")]
        self.assertIn("</text><script>alert(1)</script>\"'&\ufffd\ufffd<b>", headings)

    def test_have_no_number_that_is_none_in_places(self):
        for case in CASES:
            for element in tree(case).iter():
                for name in ("x", "y", "x1", "x2", "y1", "y2", "width", "height", "d", "transform", "viewBox",
                             "data-x", "data-y", "data-low", "data-high", "data-ratio", "data-value"):
                    self.assertNotRegex(element.get(name, ""), "nan|inf", case)

    def test_say_that_nothing_was_measured(self):
        root = tree("empty")
        self.assertIn("Nothing was measured.", [paragraph.text for paragraph in root.iter("p")])
        self.assertFalse(figures(root))

    def test_of_one_point_have_its_runs_and_numbers_but_no_curve(self):
        root = tree("one")
        self.assertEqual(len(figures(root)), 3)  # columns of runs, a histogram, processes
        self.assertFalse(figures(root, "over"))
        self.assertEqual(len(list(root.iter("td"))), 13)

    def test_say_why_a_job_ended(self):
        self.assertIn("Not complete: the job ended early: &lt;/text", page("hostile"))
        self.assertNotIn("Not complete", page("full"))

    def test_explain_marks_that_occur(self):
        self.assertIn("<b>clock</b>", page("full"))
        self.assertNotIn("<b>clock</b>", page("exact"))
        root = tree("full")
        hollow = [spot for spot in spots(figures(root, "MPI_Bcast: time over message size")[0])
                  if "doubtful" in spot.get("class")]
        self.assertEqual({number(spot, "data-x") for spot in hollow}, {1})

    def test_explain_signs(self):
        def meanings(case):
            return {"".join(item.itertext()) for element in tree(case).iter("ul") if element.get("class") == "signs"
                    for item in element}
        self.assertLessEqual({"to be taken with care", "runs beyond the edge"}, meanings("full"))
        self.assertLessEqual({"faster", "slower", "same", "unsure", "too small to count"}, meanings("compared"))

    def test_fold_circumstances(self):
        section, = (section for section in tree("full").iter("section") if section.get("id") == "circumstances")
        details, = section.iter("details")
        self.assertIsNone(details.get("open"))
        self.assertIn("an invented one", "".join(details.itertext()))

    def test_name_what_was_not_measured(self):
        self.assertIn("this MPI library has no MPI_Ialltoallw", page("full"))
        self.assertNotIn("Not measured", page("exact"))


class Plots(unittest.TestCase):
    def test_hold_the_values(self):
        found = [(number(spot, "data-x"), number(spot, "data-y"))
                 for spot in spots(figures(tree("exact"), "time over message size")[0])]
        wanted = [(size, 0.5e-6 + size / 2.048e9) for size in (0, 1024, 65536)]
        for (size, time), (wanted_size, wanted_time) in zip(found, wanted, strict=True):
            self.assertEqual(size, wanted_size)
            self.assertAlmostEqual(time / wanted_time, 1, places=8)

    def test_draw_them_where_the_ticks_say(self):
        for figure in figures(tree("full"), "time over message size"):
            sizes, times = sorted(labels(figure, "x").items()), sorted(labels(figure, "y").items())
            for spot in spots(figure):
                x, y = place(spot)
                self.assertAlmostEqual(x, between((sizes[0], sizes[-1]), number(spot, "data-x")), delta=0.05)
                self.assertAlmostEqual(y, between((times[0], times[-1]), number(spot, "data-y")), delta=0.05)

    def test_have_a_series_for_each_number_of_ranks(self):
        figure, = figures(tree("full"), "MPI_Bcast: time over message size")
        series = [part for part in figure.iter(SVG + "g") if "series" in part.get("class")]
        self.assertEqual([part.get("data-name") for part in series], [f"{2 ** i} ranks" for i in range(1, 6)])
        self.assertEqual([len(spots(part)) for part in series], [11] * 5)

    def test_have_intervals_around_values(self):
        for spot in spots(figures(tree("full"), "time over message size")[0]):
            self.assertLess(number(spot, "data-low"), number(spot, "data-y"))
            self.assertGreater(number(spot, "data-high"), number(spot, "data-y"))

    def test_go_over_ranks_too(self):
        root = tree("full")
        self.assertEqual(sum(len(spots(figure)) for figure in figures(root, "MPI_Bcast: time over ranks")), 55)
        self.assertEqual([number(spot, "data-x") for spot in spots(figures(root, "MPI_Barrier: time over ranks")[0])],
                         [2, 3, 4, 5, 6, 7, 8])

    def test_show_overlap_of_those_that_have_it(self):
        root = tree("full")
        self.assertTrue(figures(root, "MPI_Iallreduce: hidden by computation"))
        self.assertFalse(figures(root, "MPI_Bcast: hidden"))

    def test_show_bandwidth_as_measured_or_as_size_over_time(self):
        root = tree("full")
        figure, = figures(root, "bandwidth: bandwidth over message size")
        self.assertIn("bandwidth", [text.text for text in figure.iter(SVG + "text")])
        figure, = figures(tree("exact"), "MPI_Bcast: bandwidth over message size")
        self.assertIn("bandwidth (message size / time)", [text.text for text in figure.iter(SVG + "text")])
        found = [(number(spot, "data-x"), number(spot, "data-y")) for spot in spots(figure)]
        for (size, bandwidth), wanted in zip(found, (1024, 65536), strict=True):
            self.assertEqual(size, wanted)
            self.assertAlmostEqual(bandwidth / (size / (0.5e-6 + size / 2.048e9)), 1, places=8)
        self.assertFalse(figures(root, "MPI_Barrier: bandwidth"))

    def test_have_legends_for_the_keyboard(self):
        keys = [part for part in tree("full").iter(SVG + "g") if "key" in part.get("class", "")]
        self.assertTrue(keys)
        for key in keys:
            self.assertEqual((key.get("tabindex"), key.get("role"), key.get("aria-pressed")), ("0", "button", "true"))

    def test_count_every_run_in_the_histogram(self):
        root = tree("full")
        histograms = [[number(bar, "data-count") for bar in figure.iter(SVG + "rect") if bar.get("data-count")]
                      for figure in figures(root)]
        self.assertEqual({sum(bars) for bars in histograms if bars}, {40})
        self.assertEqual(len([bars for bars in histograms if bars]), 55 + 55 + 23 + 7)

    def test_show_each_process(self):
        figure, = figures(tree("exact"), "processes")
        series = [part for part in figure.iter(SVG + "g") if "series" in part.get("class")]
        self.assertEqual([[number(spot, "data-x") for spot in spots(part)] for part in series], [[0, 1, 2, 3]] * 3)

    def test_show_memory_over_ranks(self):
        figure, = figures(tree("memory"))  # none of the step that adds nothing
        private, shared = (part for part in figure.iter(SVG + "g") if "series" in part.get("class"))
        self.assertEqual([number(spot, "data-y") for spot in spots(private)], [90000] * 4)
        self.assertEqual([(number(spot, "data-x"), number(spot, "data-y")) for spot in spots(shared)],
                         [(ranks, 10000 + 1000 * ranks) for ranks in (1, 2, 4, 8)])
        self.assertIn("1000 bytes", [cell.text for cell in tree("memory").iter("td")])


class Comparison(unittest.TestCase):
    def test_has_a_line_with_its_verdict_for_each_point(self):
        figure, = figures(tree("compared"), "MPI_Bcast")
        rows = [row for row in figure.iter(SVG + "g") if row.get("data-verdict")]
        self.assertEqual(len(rows), 18)
        for row in rows:
            name = row.find(SVG + "text").findtext(SVG + "title")
            if name.endswith("1 byte"):
                self.assertEqual(row.get("data-verdict"), "faster")
            elif name.endswith("1 MiB"):
                self.assertEqual(row.get("data-verdict"), "slower")

    def test_draws_ratios_where_the_ticks_say(self):
        figure, = figures(tree("compared"), "MPI_Bcast")
        ticks = sorted(labels(figure, "x").items())
        ratios = [spot for spot in figure.iter(SVG + "path") if spot.get("data-ratio")]
        for spot in ratios:
            self.assertAlmostEqual(place(spot)[0], between((ticks[0], ticks[-1]), number(spot, "data-ratio")), delta=0.05)
            self.assertLessEqual(number(spot, "data-low"), number(spot, "data-ratio"))
            self.assertGreaterEqual(number(spot, "data-high"), number(spot, "data-ratio"))

    def test_names_what_only_one_has_and_what_else_is_different(self):
        items = "".join("".join(item.itertext()) for item in tree("compared").iter("li"))
        self.assertIn("MPI_Scan", items)
        self.assertIn("mpi: library", [cell.text for cell in tree("compared").iter("td")])


if __name__ == "__main__":
    unittest.main()
