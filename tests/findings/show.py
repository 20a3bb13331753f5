#!/usr/bin/env python3
"""The output of `tarry check --show` for logs: texts, merging, order, trust, suppressions, exit
codes.

    show.py BIN"""

import fcntl
import pathlib
import sys
import threading

from logs import FINISHED, TRUNCATED, Run, leak, log_bytes, negative, note

EXPECTED = pathlib.Path(__file__).resolve().parent

problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def compare(name, text):
    path = EXPECTED / f"{name}.out"
    if "--record" in sys.argv:
        path.write_text(text)
    expect(text == path.read_text(), f"{name}.out is not what is printed:\n{text}")


def texts():
    run = Run(TRUNCATED + leak(0) + leak(2, stride=4) + leak(1) + negative(3) + FINISHED + "end\n", notes="A note.\n")
    for name, options in (("english", []), ("russian", ["--lang", "ru"]), ("stacks", ["--stacks", "--print-suppressions"])):
        code, out, err = run.show(*options)
        expect(code == 4 and not err, f"{name}: exit code {code}, stderr {err}")
        expect(all(len(line) <= 80 for line in out.splitlines()), f"{name}: a line is longer than 80 columns")
        compare(name, out)


def merging():
    found = Run(leak(0) + leak(1, times=4) + negative(3) + "end\n", leak(2) + leak(2, line=6) + "end\n").json()["findings"]
    expect([finding["id"] for finding in found] == ["argument.negative-count", "leak.datatype", "leak.datatype"],
           "errors come first, equal findings are one")
    expect(found[1]["ranks"] == [0, 1, 2] and found[1]["times"] == 6, f"ranks and times are added up: {found[1]}")
    expect(found[2]["calls"][0]["line"] == 6, "another line is another finding")
    expect([call["rank"] for call in found[1]["calls"]] == [0, 1, 2], "each rank's call is there")


def runtime_frames():
    """Frames of OpenMP and of the C library are left out."""
    found = Run(leak(0) + "in libgomp.so.1 1f\nin libc.so.6 2f\nat app.c:2\nend\n").json()["findings"]
    expect([frame["line"] for frame in found[0]["calls"][0]["stack"]] == [5, 2], f"frames of runtime libraries: {found[0]['calls']}")
    found = Run("finding leak.datatype 1\nvalue count 2\ncall 0 MPI_Type_vector - stride = 3\nin libgomp.so.1 1f\nend\n").json()["findings"]
    expect(len(found[0]["calls"][0]["stack"]) == 1, "the only frame stays")
    tail = Run("finding leak.datatype 1\nvalue count 2\ncall 0 MPI_Type_vector - stride = 3\nin libgomp.so.1 1f\nat app.c:2\nend\n")
    expect("MPI_Type_vector, rank 0, near app.c:2\n" in tail.show()[1], f"a tail call leaves no frame: {tail.show()[1]}")


def repeated_notes():
    """Processes that write a note at the same time write it twice."""
    run = Run(FINISHED + "end\n", notes="not checked: windows\nA note.\nnot checked: windows\nA note.\n")
    _, out, _ = run.show()
    expect(out.count("A note.") == 1 and out.endswith("Not checked: windows.\n"), f"each note once: {out}")
    expect(run.json()["notes"] == ["not checked: windows", "A note."], "each note once in JSON")


def same_call_of_many_ranks():
    def mismatch(ranks):
        return "finding collective.missing-member\nvalue comm MPI_COMM_WORLD\nvalue missing 3\n" + "".join(
            f"call {rank} MPI_Barrier -\nat app.c:8\n" for rank in ranks)
    run = Run(mismatch([0, 1, 2]) + mismatch([1, 2]) + "end\n")
    found = run.json()["findings"]
    expect(len(found) == 1 and found[0]["ranks"] == [0, 1, 2], f"they are one: {found}")
    expect("  MPI_Barrier, ranks 0-2, app.c:8\n" in run.show()[1], "ranks of one call stand in one line")


def overlap(path, line=9, rank=0, times=1):
    """A function that is called on many paths: the stacks differ in a frame that is not printed."""
    return (f"finding memory.overlap {times}\ncall {rank} MPI_Recv -\nat app.c:{line}\nat f.c:1\nat f.c:2\nat f.c:3\nat f.c:{path}\n"
            f"call {rank} MPI_Irecv earlier\nat app.c:7\n")


def call_paths():
    """Findings that differ only in their callers are one; JSON has all stacks."""
    many = "".join(overlap(path, rank=path % 2) for path in range(100, 180))
    run = Run(many + overlap(100, times=5) + overlap(1, line=8) + FINISHED + "end\n")
    found = run.json()["findings"]
    expect([(finding["paths"], finding["times"]) for finding in found] == [(80, 85), (1, 1)], f"they are one: {[f['paths'] for f in found]}")
    expect({call["stack"][4]["line"] for call in found[0]["calls"] if call["role"] == "here"} == set(range(100, 180)), "JSON has each call path")
    expect(found[0]["ranks"] == [0, 1], f"ranks of all call paths: {found[0]['ranks']}")
    _, out, _ = run.show()
    expect("Found 2 errors." in out and "    and 79 other call paths\n" in out and out.count("earlier: MPI_Irecv") == 2, f"text: {out}")
    expect("  MPI_Recv, ranks 0, 1, app.c:9\n" in out, f"ranks of all call paths stand at the line: {out}")
    expect("    и ещё 79 путей вызова\n" in run.show("--lang", "ru")[1], "in Russian")
    expect(all(f"called from f.c:{path}\n" in run.show("--stacks")[1] for path in (100, 179)), "--stacks has each call path")
    (run.folder / "known").write_text("memory.overlap f.c:150\n")
    _, out, _ = run.show("--suppress", "known")
    expect("Hidden by suppressions: 1" in out and "and 78 other call paths" in out, f"a suppression names one call path: {out}")


def causes_first():
    """A lost request keeps its buffer in use: the overlaps that follow are its consequences."""
    lost = "finding request.overwritten\ncall 0 MPI_Irecv -\nat app.c:7\n"
    found = [finding["id"] for finding in Run(overlap(1) + overlap(2, line=8) + lost + "end\n").json()["findings"]]
    expect(found == ["request.overwritten", "memory.overlap", "memory.overlap"], f"causes come first: {found}")


def notes():
    """They are last, and those of one kind are one entry with all places; JSON has each."""
    freed = "finding request.freed-send\ncall 0 MPI_Request_free -\nat app.c:7\n"
    several = note(9) + freed + "".join(note(line) for line in (5, 6, 7, 8, 10))
    run = Run(several + leak(0) + negative(1) + FINISHED + "end\n")
    code, out, _ = run.show()
    titles = [line.partition(":")[0] for line in out.splitlines() if line.startswith(("error ", "warning ", "note "))]
    expect(code == 4 and titles == ["error 1", "warning 2", "note 3", "note 4"], f"errors, warnings, notes: {out}")
    expect("Found 1 error, 1 warning and 7 notes." in out, f"each is counted: {out}")
    expect("  also at app.c:5, app.c:6, app.c:7 and 2 other places: --all shows them\n" in out, f"places: {out}")
    expect("  также: app.c:5, app.c:6, app.c:7, 2 других места: --all покажет их\n" in run.show("--lang", "ru")[1], "in Russian")
    _, out, _ = run.show("--all")
    expect(out.count("[race.message-order]") == 6 and "also at" not in out and "note 9:" in out, f"--all: {out}")
    found = [(finding["id"], finding["calls"][0]["line"]) for finding in run.json()["findings"]]
    expect(found[2:] == [("request.freed-send", 7)] + [("race.message-order", line) for line in (9, 5, 6, 7, 8, 10)], f"JSON has each: {found}")
    code, out, _ = Run(note(9) + note(9, sender=7) + note(9, sender=5) + FINISHED + "end\n").show()
    expect(code == 0 and "  and 2 other notes at this place: --all shows them\n" in out, f"at one place: {code}, {out}")
    code, out, _ = Run(note(9) + note(5) + FINISHED + "end\n").show()
    expect(code == 0 and "No errors found. 2 notes." in out and "  also at app.c:5: --all shows them\n" in out, f"notes alone: {code}, {out}")


def before_init():
    """Processes have no ranks yet."""
    _, out, _ = Run("finding call.fatal 2\nvalue class MPI_ERR_OTHER\nvalue text no\ncall -1 MPI_Init -\nat app.c:7\nend\n").show()
    expect("  seen 2 times, before MPI_Init\n" in out, f"before MPI_Init: {out}")


def order_in_time():
    """Findings of several logs are in the order of discovery."""
    logs = [negative(0, line=line) + f"found {time}\nend\n" for line, time in ((5, 30), (6, 10), (7, 20))]
    found = [finding["calls"][0]["line"] for finding in Run(*logs).json()["findings"]]
    expect(found == [6, 7, 5], f"order of logs: {found}")


def trust():
    cases = (
        (FINISHED + "end\n", True, 0, "Check complete: 4 processes."),
        ("end\n", False, 5, "no process connected to the analyser"),
        (FINISHED, False, 5, "the analyser of 'analyser-0.log' died"),
        (FINISHED.replace("member 2 4 1", "member 2 4 5") + "end\n", False, 5, "by a crash or kill: rank 2."),
        (FINISHED.replace("member 2 4 1", "member 2 4 4") + "end\n", False, 5, "not checked to the end: rank 2."),
        (FINISHED.replace("member 0 4 1", "member 0 4 2") + "end\n", False, 5, "MPI_Abort ended the job: rank 0."),
        (FINISHED.replace("member 0 4 1\n", "") + "end\n", False, 5, "not checked: 1 of 4 processes."),
        (FINISHED.replace(" 1\n", " 0\n") + "end\n", False, 5, "ranks 0-3."),
        (FINISHED + "bytes 100\n", False, 5, "is damaged: 100 bytes could not be read."),
        (FINISHED + "finding unknown\nend\n", False, 5, "is damaged"),
    )
    for log, is_complete, code, sentence in cases:
        run = Run(log)
        got, out, _ = run.show()
        expect(got == code and sentence in " ".join(out.split()), f"{sentence}: exit code {got}, {out}")
        expect(run.json()["trust"]["complete"] == is_complete, f"{sentence}: trust in JSON")
        expect(("No errors found." in out) == is_complete, f"{sentence}: nothing is said to be fine that was not checked")
    _, out, _ = Run(FINISHED.replace("member 0 4 1", "member 0 4 2").replace("member 1 4 1", "member 1 4 5") + "end\n").show()
    expect(out.startswith("Check incomplete:\n  ended without MPI_Finalize by a crash or kill: rank 1.\n  MPI_Abort ended the job: rank 0.\n"),
           f"several reasons are one list: {out}")
    code, out, _ = Run().show()
    expect(code == 5 and "Nothing was checked" in out, f"a folder without logs: {code}, {out}")


def still_at_work():
    """An analyser locks its log while it lives."""
    run = Run(FINISHED)
    log = run.check / "analyser-0.log"
    with open(log, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        code, out, _ = run.show()
        expect(code == 5 and "still running" in " ".join(out.split()) and "lost" not in out, f"an analyser that lives: {code}, {out}")
        ends = threading.Timer(0.3, lambda: (file.write(log_bytes("end\n")), file.flush(), fcntl.flock(file, fcntl.LOCK_UN)))
        ends.start()
        code, out, _ = run.show()
        ends.join()
    expect(code == 0 and "Check complete" in out, f"one that ends soon is waited for: {code}, {out}")


def explained_ends():
    vanished = FINISHED.replace("member 1 4 1", "member 1 4 5").replace("member 3 4 1", "member 3 4 5")
    crash = "finding end.crash\ncall 3 MPI_Barrier -\nat app.c:8\n"
    told = Run(crash + leak(0) + negative(1) + vanished + "end\n").json()
    expect([finding["id"] for finding in told["findings"]] == ["argument.negative-count", "leak.datatype"],
           f"an error of a process that vanished explains the end of all: {told['findings']}")
    expect(told["trust"]["reasons"] == ["ended without MPI_Finalize: ranks 1, 3; MPI may have ended the job because of an error below."],
           f"the reason: {told['trust']}")
    told = Run(crash + leak(0) + negative(0) + vanished + "end\n").json()
    expect([finding["id"] for finding in told["findings"]] == ["argument.negative-count", "end.crash", "leak.datatype"],
           f"one of another process does not, and consequences come last: {told['findings']}")


def suppressions():
    run = Run(TRUNCATED + leak(0) + negative(3) + FINISHED + "end\n")

    def with_lines(text):
        (run.folder / "known").write_text(text)
        return run.show("--suppress", "known")

    code, out, _ = with_lines("# a comment\nmessage.truncated app.c:8\nargument.* app.c:8 # the partner's line counts, too\n")
    expect(code == 0 and "1 warning" in out and "Hidden by suppressions: 2" in out, f"both errors are hidden: {code}, {out}")
    code, out, _ = with_lines("leak.* nothing_*\nmessage.truncated\n")
    expect("Unused suppression: known:1: leak.* nothing_*" in out and code == 4, f"unused: {out}")
    code, out, _ = with_lines("* app.[c]\n")
    expect(code == 0 and "Hidden by suppressions: 3" in out, f"by file: {out}")
    code, _, err = with_lines("leak.datatypes\n")
    expect(code == 2 and "known:1: unknown check 'leak.datatypes', did you mean 'leak.datatype'?" in err, err)
    code, _, err = with_lines("leak.datatype a b\n")
    expect(code == 2 and "unexpected 'b'" in err, err)
    code, out, _ = run.show("--print-suppressions")
    code, out, _ = with_lines(out[out.index("Lines for a suppression file:\n"):].partition("\n")[2])
    expect(code == 0 and "Hidden by suppressions: 3" in out and "Unused" not in out, f"printed lines hide all: {out}")


def strange_texts():
    run = Run("finding argument.bad-value\nvalue parameter \x1b[31mred\nvalue value {value}\n"
              "call 0 MPI_Send - buf = \x1b]0;title\x07\nat a\x1bpp.c:8\nfinding leak.info\ncall -1 MPI_Info_create -\nend\n")
    _, out, _ = run.show("--print-suppressions")
    expect("\x1b" not in out and "\x07" not in out, "a terminal would obey")
    expect("argument.bad-value a?pp.c:8 " in out, f"a place with any character: {out}")
    expect("?[31mred is {value}." in out, f"values are not filled in again: {out}")
    expect("before MPI_Init" in out and "why: ? info objects created here" in out, f"what is not known is a question mark: {out}")


def wrong_use():
    run = Run("end\n")
    for options, sentence in ((["--json", "--stacks"], "needs a FILE"), (["--lang", "xx"], "choose one of en, ru"),
                              (["--json", "a", "--sarif", "a"], "a file of its own"), (["x"], "unexpected argument 'x'"),
                              (["--limits", "comms=3"], "kinds are communicators, datatypes"),
                              (["--limits", "requests=1,"], "is not a list")):
        code, _, err = run.show(*options)
        expect(code == 2 and sentence in err, f"{options}: {code} {err}")


for test in (texts, merging, runtime_frames, repeated_notes, same_call_of_many_ranks, call_paths, causes_first, notes, before_init, order_in_time, trust, still_at_work, explained_ends, suppressions, strange_texts, wrong_use):
    test()
print("\n".join(problems) or "findings are shown as they should")
sys.exit(bool(problems))
