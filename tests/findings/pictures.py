#!/usr/bin/env python3
"""Pictures of deadlocks and hangs in text: all shapes, in UTF-8 and ASCII, in English and Russian, 80 columns wide.

    pictures.py BIN [--record]"""

import os
import pathlib
import pty
import subprocess
import sys

import waits
from logs import BIN, Run, leak, negative

EXPECTED = pathlib.Path(__file__).resolve().parent
SHAPES = (waits.ring(2), waits.ring(3), waits.sends(), waits.ring(8), waits.ring(64), waits.ring(300, shown=256), waits.crowd(), waits.knot(),
          waits.finished(), waits.one_sided(), waits.alone(), waits.shift(), waits.hang(), waits.hang(64), waits.mismatch(), waits.bystanders(), waits.anybody(), waits.finished_ranks())
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def block(out):
    return out[out.index("\n\n") + 2:]


def compare(name, shapes, *options, locale="C.UTF-8"):
    text = ""
    for shape in shapes:
        code, out, err = Run(shape + waits.members(4) + "end\n").show(*options, locale=locale)
        expect(code in (0, 4, 5) and not err, f"{name}: exit code {code}, stderr {err}")
        text += block(out) + "\n"
    path = EXPECTED / f"{name}.out"
    if "--record" in sys.argv:
        path.write_text(text)
    expect(text == path.read_text(), f"{name}.out is not what is printed:\n{text}")
    expect(all(len(line) <= 80 for line in text.splitlines()), f"{name}: a line is longer than 80 columns")
    return text


def texts():
    english = compare("pictures", SHAPES)
    compare("pictures-ru", SHAPES, "--lang", "ru")
    ascii_text = compare("pictures-ascii", SHAPES[:1] + SHAPES[4:5] + SHAPES[7:8], locale="C")
    expect(ascii_text.isascii() and "?" not in ascii_text, "every letter of a picture has a counterpart in ASCII")
    expect("\x1b" not in english, "no colours where there is no terminal")
    compare("pictures-stacks", SHAPES[7:8], "--stacks")
    compare("pictures-potential", [waits.potential(), waits.potential_knot(), waits.race()])


def order():
    run = Run(leak(0) + negative(1) + waits.potential() + waits.ring(2) + waits.members(4) + "end\n")
    code, out, _ = run.show()
    expect(code == 4 and out.startswith("A deadlock ended the run. Checked up to that point: 4 processes.\nFound 2 errors"), out)
    found = [finding["id"] for finding in run.json()["findings"]]
    expect(found == ["deadlock.cycle", "argument.negative-count", "deadlock.potential-send", "leak.datatype"], f"order: {found}")
    _, out, _ = Run(waits.hang() + waits.members(2) + waits.members(2, 5) + "end\n").show()
    expect("A hang ended the run" in out and "vanished" not in out, f"how processes ended says nothing more: {out}")


def numbers():
    """One process or several, one finished rank or several: the words agree with the number."""
    def text(log):
        return " ".join(Run(log + waits.members(4) + "end\n").show()[1].split())
    send = (2, "MPI_Send", "waits", "dest = 2", [8])
    for check, values in (("deadlock.potential-send", {}), ("deadlock.potential-send-collective", {"collective": "MPI_Barrier"}), ("deadlock.potential-collective", {})):
        alone = text(waits.finding(check, {"processes": 1, **values}, [send], [(0, 0, "receive", "all")]))
        expect("this process waits for itself forever" in alone and "processes wait" not in alone, f"{check} of one process: {alone}")
    alone = text(waits.alone())
    expect("This process waits for itself" in alone and "one rank" not in alone and "other receives" not in alone, f"advice for one process: {alone}")
    several = text(waits.finished_ranks())
    expect("for ranks 1-2, which are in MPI_Finalize" in several and "missing call on ranks 1-2" in several, f"several finished ranks: {several}")


def suppressed():
    run = Run(waits.ring(3) + waits.members(3) + "end\n")
    (run.folder / "known").write_text("deadlock.* app.c:9\n")
    code, out, _ = run.show("--suppress", "known")
    expect(code == 5 and "Hidden by suppressions: 1" in out and "rank 0" not in out, f"suppressed: {code}, {out}")
    expect(out.startswith("A deadlock ended the run."), "that it was ended is said all the same")


def merged():
    """Equal findings of other ranks: the picture is that of the first, the ranks are those of all."""
    run = Run(waits.potential() + waits.potential(2, 3) + waits.members(4, 1) + "end\n")
    code, out, _ = run.show()
    expect(code == 0 and out.count("Potential deadlock") == 1 and "seen 2 times, on ranks 0-3" in out, f"merged: {out}")
    expect("rank 2:" not in out, f"one picture: {out}")
    told = run.json()["findings"][0]
    for wait in told["waits"]:
        ranks = [told["calls"][wait[end]]["rank"] for end in ("from", "to")]
        expect(sorted(ranks) in ([0, 1], [2, 3]), f"waits name calls of their own finding: {ranks}")
    expect(len(told["waits"]) == 4, f"waits of both: {told['waits']}")


def strange_texts():
    log = waits.finding("deadlock.cycle", {"processes": "99999999999999999999", "behind": "\x1b[31m{rank}"},
                        [(0, "MPI_Recv", "waits", "x = \x1b]0;title\x07", [9]), (1, "MPI_Recv", "no-such-note", "", [])],
                        [(0, 1, "\x1b[2Jwhy", "all"), (1, 0, "message", "any"), (1, 1, "message", "any")])
    _, out, _ = Run(log + "end\n").show()
    expect("\x1b" not in out and "\x07" not in out, "a terminal would obey")
    expect("waits for rank 1" in out, f"an unknown reason: {out}")
    long = waits.finding("deadlock.cycle", {"processes": 2, "behind": ""}, [waits.receive(0, "x" * 300), waits.receive(1, 0)],
                         [(0, 1, "message", "all"), (1, 0, "message", "all")])
    expect("┌─► rank 0" in Run(long + "end\n").show()[1], "a long argument leaves the picture as it is")


def on_terminals():
    """Colours on terminals, and only there."""
    run = Run(waits.ring(2) + waits.members(2) + "end\n")
    for terminal, coloured in (("xterm", True), ("dumb", False)):
        ours, theirs = pty.openpty()
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": terminal}
        environment.pop("NO_COLOR", None)
        with subprocess.Popen([BIN / "tarry", "check", "--show", "app.check"], cwd=run.folder, env=environment, stdout=theirs,
                              stdin=subprocess.DEVNULL) as shown:
            os.close(theirs)
            out = b""
            try:
                while part := os.read(ours, 65536):
                    out += part
            except OSError:
                pass
            shown.wait(60)
        os.close(ours)
        expect((b"\x1b[31m" in out) == coloured, f"colours on {terminal}: {out!r}")
        if coloured:
            expect("\x1b[1mrank 0\x1b[0m: MPI_Recv".encode() in out, f"names are strong: {out!r}")


for test in (texts, order, numbers, suppressed, merged, strange_texts, on_terminals):
    test()
print("\n".join(problems) or "pictures are drawn as they should")
sys.exit(bool(problems))
