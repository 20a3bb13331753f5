#!/usr/bin/env python3
"""Drawings of deadlocks and hangs: well-formed, self-contained, texts escaped; no text overlaps another one, a line or the edge of a box.

    drawings.py BIN"""

import itertools
import re
import sys
import xml.etree.ElementTree as tree

import waits
from logs import Run, leak

SVG = "{http://www.w3.org/2000/svg}"
LETTER, ABOVE, BELOW = 8, 11, 3
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def contains(outer, inner):
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def texts_of(drawing):
    for text in drawing.iter(SVG + "text"):
        x, y = int(text.get("x")), int(text.get("y"))
        yield (x, y - ABOVE, x + LETTER * len(text.text), y + BELOW), text.text


def boxes_of(drawing):
    for rect in drawing.iter(SVG + "rect"):
        x, y = int(rect.get("x", 0)), int(rect.get("y", 0))
        yield (x, y, x + int(rect.get("width")), y + int(rect.get("height")))


def segments_of(drawing):
    for path in drawing.iter(SVG + "path"):
        if not path.get("class").startswith("line"):
            continue
        points = [tuple(map(int, pair)) for pair in re.findall(r"(-?\d+) (-?\d+)", path.get("d"))]
        for (x, y), (to_x, to_y) in zip(points, points[1:]):
            expect(x == to_x or y == to_y, f"a line that is neither level nor upright: {points}")
            yield (min(x, to_x), min(y, to_y), max(x, to_x) + 1, max(y, to_y) + 1)


def check_geometry(name, drawing):
    texts, boxes, segments = list(texts_of(drawing)), list(boxes_of(drawing)), list(segments_of(drawing))
    page = tuple(map(int, drawing.get("viewBox").split()))
    expect(texts and boxes[0] == page, f"{name}: a page with texts")
    for (a, first), (b, second) in itertools.combinations(texts, 2):
        expect(not overlap(a, b), f"{name}: '{first}' lies on '{second}'")
    for place, text in texts:
        expect(contains(page, place), f"{name}: '{text}' is not on the page")
        for segment in segments:
            expect(not overlap(place, segment), f"{name}: a line {segment} goes through '{text}' {place}")
        for box in boxes[1:]:
            expect(contains(box, place) or not overlap(box, place), f"{name}: '{text}' lies on the edge of a box")
    for a, b in itertools.combinations(boxes[1:], 2):
        expect(not overlap(a, b), f"{name}: boxes overlap")
    for segment in segments:
        expect(contains((0, 0, page[2], page[3]), segment), f"{name}: a line leaves the page")
        for box in boxes[1:]:
            inner = (box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1)
            expect(not overlap(segment, inner), f"{name}: a line {segment} goes through a box {box}")


def draw(name, log, *options):
    code, out, err = Run(log + waits.members(4) + "end\n").show("--svg", "-", *options)
    expect(code in (0, 4, 5) and not err, f"{name}: exit code {code}, stderr {err}")
    drawing = tree.fromstring(out)
    check_geometry(name, drawing)
    expect(not re.search(r"<script|href|@import|url\((?!#arrow\))", out), f"{name}: nothing comes from elsewhere")
    return out, " ".join(text for _, text in texts_of(drawing))


def shapes():
    crowded = waits.finding("deadlock.cycle", {"processes": 40, "behind": ""}, [waits.receive(rank, 0, line=8 + rank % 3) for rank in range(40)],
                            [(rank, other, why, "any") for rank in range(40) for other, why in (((rank * 7 + 1) % 40, "message"),
                                                                                          ((rank * 3 + 2) % 40, "receive"))])
    for name, log in {"ring2": waits.ring(2), "ring64": waits.ring(64), "cut": waits.ring(300, shown=256), "sends": waits.sends(), "crowd": waits.crowd(),
                      "knot": waits.knot(), "finished": waits.finished(), "one-sided": waits.one_sided(), "mismatch": waits.mismatch(), "anybody": waits.anybody(), "bystanders": waits.bystanders(), "alone": waits.alone(), "shift": waits.shift(),
                      "hang": waits.hang(), "potential": waits.potential_knot(), "crowded": crowded,
                      "several": waits.ring(3) + waits.potential() + waits.potential_knot()}.items():
        for options in ([], ["--lang", "ru"]):
            _, text = draw(f"{name} {options}", log, *options)
            expect(("ранг" if options else "rank") in text, f"{name}: the language")
    _, text = draw("knot", waits.knot())
    for part in ("waits for a message from any of ranks 1-3", "MPI_Waitany, app.c:11", "each waits until ranks 0, 3 call MPI_Barrier"):
        expect(part in text, f"the drawing has '{part}': {text}")
    for name, log, legend in (("sends", waits.sends(), True), ("bystanders", waits.bystanders(), True), ("ring2", waits.ring(2), False), ("ring64", waits.ring(64), False)):
        out, text = draw(name, log)
        expect(("not part of the deadlock, waits for it" in text) == legend, f"{name}: a legend where not all boxes are of one kind: {text}")
        expect(('class="behind"' in out) == legend, f"{name}: processes that wait for a deadlock have boxes of their own: {out}")
    _, text = draw("none", leak(0))
    expect(text == "No deadlock or hang was found.", text)


def strange_texts():
    evil = "</text><script>alert(1)</script> & \" ' ]]> \x01 \x1b \x7f"
    log = waits.finding("deadlock.cycle", {"processes": 2, "behind": evil},
                        [(0, "MPI_Recv", "waits", f"x = {evil}", [9]), (1, "MPI_Recv", "waits", "y" * 500, [9])],
                        [(0, 1, evil.replace(" ", ""), "all"), (1, 0, "message", "all")])
    out, text = draw("strange", log)
    expect("<script" not in out and "alert(1)" in text and "\x1b" not in out, "texts are escaped")


def to_a_file():
    run = Run(waits.ring(2) + waits.members(2) + "end\n")
    code, out, _ = run.show("--svg", "deadlock.svg")
    expect(code == 4 and "┌─►" in out and tree.parse(run.folder / "deadlock.svg"), f"beside the text: {out}")
    code, _, err = run.show("--svg", "a", "--json", "a")
    expect(code == 2 and "'--json' and '--svg': give each a file of its own" in err, err)


for test in (shapes, strange_texts, to_a_file):
    test()
print("\n".join(problems[:20]) or "drawings are as they should be")
sys.exit(bool(problems))
