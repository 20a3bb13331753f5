#!/usr/bin/env python3
"""The module `tarry` gives the contents of traces and reports, with pandas and without, and the examples of docs/python.md work.
Usage: python_module.py TARRY"""

import json
import os
import re
import subprocess
import sys
import tempfile

from common import HERE, assemble, check, finish, run
from messages import message_job

DOCUMENT = os.path.join(HERE, "..", "..", "docs", "python.md")
RANKS, STEPS = 4, 6
WITHOUT_PANDAS = "import sys; sys.modules['pandas'] = None\n"


def has_pandas():
    return subprocess.run([sys.executable, "-c", "import pandas"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def python(tarry, folder, text, code=0):
    """What a program prints that uses the module of the build."""
    module = os.path.join(os.path.dirname(tarry), "..", "share", "tarry", "python")
    environment = {**os.environ, "PYTHONPATH": module, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("TARRY", None)
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    check(done.returncode == code, "this ended with %d:\n%s\n%s" % (done.returncode, text, done.stderr))
    return done.stdout + done.stderr if code else done.stdout


def rows(tarry, folder, table, frames):
    """A table as a list of dictionaries, of both kinds."""
    show = "table.astype(object).where(table.notna(), None).to_dict('records')" if frames else "table"
    head = "" if frames else WITHOUT_PANDAS
    return json.loads(python(tarry, folder, head + "import json, tarry\nrun = tarry.open('run.tarry')\n"
                             "table = %s\nprint(json.dumps(%s))" % (table, show)))


def check_messages(tarry, folder, frames):
    """Each message of the job has a tag of its own."""
    table = rows(tarry, folder, "run.messages()", frames)
    expected = {}
    for rank in range(RANKS):
        for step in range(STEPS):
            tag = 100 * step + 10 * rank
            expected[tag] = (rank, 8 + tag, "MPI_Isend", "MPI_Irecv", "MPI_Waitall")
            expected[tag + 1] = (rank, 9 + tag, "MPI_Sendrecv", "MPI_Sendrecv", "MPI_Sendrecv")
        expected[9000 + rank] = (rank, 3, "MPI_Send_init", "MPI_Recv", "MPI_Recv")
    found = {row["tag"]: (row["from_rank"], row["bytes"], row["send"], row["post"], row["done"]) for row in table}
    for tag in expected.keys() | found.keys():
        check(found.get(tag) == expected.get(tag), "message %d is %s, not %s" % (tag, found.get(tag), expected.get(tag)))
    check(len(table) == len(expected), "%d messages, not %d" % (len(table), len(expected)))
    for row in table:
        check(row["to_rank"] == (row["from_rank"] + 1) % RANKS, "%s goes to %s" % (row["from_rank"], row["to_rank"]))
        check(row["send_start_ns"] <= row["done_end_ns"], "message %d is received before it is sent" % row["tag"])
    some = rows(tarry, folder, "run.messages(ranks='1')", frames)
    check({row["tag"] for row in some} == {tag for tag, row in expected.items() if row[0] in (0, 1)},
          "messages of rank 1 are others")


def check_calls(tarry, folder, frames):
    lines = run(tarry, "export", "--csv", "-", os.path.join(folder, "run.tarry"))[1].decode().splitlines()
    table = rows(tarry, folder, "run.calls()", frames)
    check(len(table) == len(lines) - 1, "%d calls, not %d" % (len(table), len(lines) - 1))
    first = dict(zip(lines[0].split(","), lines[1].split(",")))
    for column in ("rank", "start_ns", "end_ns"):
        check(table[0][column] == int(first[column]), "%s is %r" % (column, table[0][column]))
    check(table[0]["peer"] == "any" and table[1]["peer"] == 1, "peers are %r, %r" % (table[0]["peer"], table[1]["peer"]))
    check(table[0]["sent"] is None, "a receive sent %r" % table[0]["sent"])
    some = rows(tarry, folder, "run.calls(ranks='2', calls='MPI_Isend')", frames)
    check(len(some) == STEPS and {row["rank"] for row in some} == {2}, "the selection has %d calls" % len(some))


def check_report(tarry, folder, frames):
    report = os.path.join(folder, "report.json")
    check(run(tarry, "report", "--all", "--json", report, os.path.join(folder, "run.tarry"))[0] == 0, "no report")
    with open(report, encoding="utf-8") as file:
        expected = json.load(file)
    findings = rows(tarry, folder, "run.findings()[['pattern', 'total_s']]" if frames else "run.findings()", frames)
    check([row["total_s"] for row in findings] == [row["total_s"] for row in expected["findings"]] != [], "findings differ")
    iterations = rows(tarry, folder, "run.iterations()", frames)
    check([row["first"] for row in iterations] == [row["first"] for row in expected["summary"]["iterations"]] != [],
          "iterations differ: %s" % iterations)
    text = python(tarry, folder, "import tarry\nrun = tarry.open('report.json', frames=False)\n"
                  "print(len(run.findings()), len(run.summary('ranks')))\n"
                  "try: run.calls()\nexcept tarry.Error as error: print(error)\n"
                  "try: run.summary('rank')\nexcept tarry.Error as error: print(error)\n")
    check(text.startswith("%d %d\n" % (len(findings), RANKS)) and "no single calls" in text and "matrix" in text,
          "the report gives %s" % text)


def region_values(lines, metric, region):
    """The values of a region in Extra-P's format, a list for each point."""
    found, current = [], [None, None]
    for line in lines:
        kind, _, value = line.partition(" ")
        if kind in ("METRIC", "REGION"):
            current[kind == "REGION"] = value
        elif kind == "DATA" and current == [metric, region]:
            found.append([float(number) for number in value.split()])
    return found


def barrier_job(size, seconds):
    """Rank 0 computes; others wait in a barrier."""
    for rank in range(size):
        yield "process world=%d rank=%d size=%d run=%d" % (size, rank, size, size)
        yield "clock monotonic 1000 tick=0 ns=0"
        yield "comm 0x1 members=%d:0-%d" % (size, size - 1) if not rank else "comm 0x1"
        yield "thread 0 tid=1 main\n0 0 MPI_Init"
        yield "%d %d MPI_Barrier comm=0x1" % (0 if rank else 1000 * seconds, 1000 * seconds)
        if size == 4:
            yield "%d %d MPI_Bcast comm=0x1 root=0 sent=%d" % (1000 * seconds, 1000 * seconds, 0 if rank else 64)
        yield "%d %d MPI_Finalize" % (1000 * seconds, 1000 * seconds)


def check_extrap(tarry, folder):
    """Two runs of 2 ranks, one of 4."""
    for name, size, seconds in (("n2", 2, 3), ("again", 2, 5), ("n4", 4, 7)):
        assemble(tarry, "\n".join(barrier_job(size, seconds)).encode() + b"\n", os.path.join(folder, name + ".tarry"))
    python(tarry, folder, "import tarry; tarry.extrap(['n4.tarry', 'n2.tarry', 'again.tarry'], 'runs.txt')")
    with open(os.path.join(folder, "runs.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    check(lines[:2] == ["PARAMETER ranks", "POINTS 2 4"], "the head is %s" % lines[:2])
    regions = [line[len("REGION "):] for line in lines if line.startswith("REGION ")]
    barrier = next(region for region in regions if region.endswith("->MPI_Barrier"))
    broadcast = next(region for region in regions if region.endswith("->MPI_Bcast"))
    for metric, region, expected in (
            ("time", barrier, [[1.5, 2.5], [5.25]]), ("calls", barrier, [[1, 1], [1]]),
            ("bytes", broadcast, [[0, 0], [16]]), ("time", "computing", [[1.5, 2.5], [1.75]])):
        found = region_values(lines, metric, region)
        check(found == expected, "%s of %s is %s, not %s" % (metric, region, found, expected))
    check(lines.count("DATA 0.000000000 0.000000000") > 0, "a region that a run does not have is not 0")
    said = python(tarry, folder, "import tarry; tarry.extrap(['n2.tarry'], 'x', values=[1, 2])", code=1)
    check("2 values for 1 runs" in said, "wrong values: %s" % said)


def check_failures(tarry, folder):
    check("does not exist" in python(tarry, folder, "import tarry; tarry.open('gone')", code=1), "a missing file is opened")
    with open(os.path.join(folder, "nonsense"), "w", encoding="utf-8") as file:
        file.write("nonsense")
    said = python(tarry, folder, "import tarry; tarry.open('nonsense').findings()", code=1)
    check("tarry.Error" in said and "nonsense" in said, "nonsense gives %s" % said)


def check_examples(tarry, folder, pandas):
    """All blocks of the document; those that need pandas say so in the line before."""
    with open(DOCUMENT, encoding="utf-8") as file:
        examples = re.findall(r"([^\n]*)\n\n```python\n(.*?)```", file.read(), flags=re.DOTALL)
    check(len(examples) >= 5, "%d examples" % len(examples))
    for ranks in (2, 4, 8):
        assemble(tarry, "\n".join(barrier_job(ranks, 1)).encode() + b"\n", os.path.join(folder, "n%d.tarry" % ranks))
    for introduction, example in examples:
        check(example.count("\n") <= 10, "longer than ten lines:\n" + example)
        if pandas or "needs pandas" not in introduction:
            shown = python(tarry, folder, example)
            check(shown or "extrap" in example, "this printed nothing:\n" + example)
        if "needs pandas" not in introduction:
            python(tarry, folder, WITHOUT_PANDAS + example)


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        assemble(tarry, "\n".join(message_job(RANKS, STEPS)).encode() + b"\n", os.path.join(folder, "run.tarry"))
        pandas = has_pandas()
        for frames in (False, True) if pandas else (False,):
            check_messages(tarry, folder, frames)
            check_calls(tarry, folder, frames)
            check_report(tarry, folder, frames)
        check_extrap(tarry, folder)
        check_failures(tarry, folder)
        check_examples(tarry, folder, pandas)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])
