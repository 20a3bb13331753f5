"""Output does not depend on the number of processes: 'tarry-analyze-MPI' prints and writes the same bytes as 'tarry analyze' and 'tarry report' with
1, 2, 3 and 8 processes. The programs are those of random_reports.py, which processes mostly can divide; some need a single process, and the test says how
many.

Usage: random_peers.py TARRY ANALYZE MPIRUN [COUNT [FIRST_SEED]]
"""

import difflib
import os
import random
import shlex
import subprocess
import sys
import tempfile

from random_reports import PROGRAMS
from replayed import assemble

PROCESSES = (1, 2, 3, 8)
HERE = os.path.dirname(os.path.abspath(__file__))
CHARGED, COMPARED = (os.path.join(HERE, f"{name}.rules") for name in ("charged_partner", "compared_ranks"))
COMMANDS = (("analyze", ()), ("analyze", ("--all", "--no-causes", "--rules", CHARGED)),
            ("analyze", ("--all", "--no-causes", "--rules", COMPARED)), ("report", ("--all",)))
ALONE = b"process 0 analyses the trace alone"
MADE = PROGRAMS[:2] * 3 + PROGRAMS  # the first two have no windows, no UPC and no noise


def run(words, folder, damaged):
    """Exit code, output, errors, and the file, which is missing if the trace is too damaged."""
    file = os.path.join(folder, "written.json")
    done = subprocess.run([*words, "--json", file, "t.tarry"], capture_output=True, timeout=200, cwd=folder,
                          env={**os.environ, "COLUMNS": "100"})
    assert os.path.exists(file) or damaged, "%s ended with %d: %s" % (shlex.join(words), done.returncode, done.stderr.decode())
    content = b""
    if os.path.exists(file):
        with open(file, "rb") as written:
            content = written.read()
        os.remove(file)
    errors = [line for line in done.stderr.splitlines() if line.startswith(b"tarry: ")]
    return (done.returncode, done.stdout, [line for line in errors if ALONE not in line], content), any(ALONE in line for line in errors)


def difference(expected, found):
    lines = [str(text, "utf-8", "replace").splitlines() if isinstance(text, bytes) else [repr(text)] for text in (expected, found)]
    return "\n".join(list(difflib.unified_diff(*lines, "expected", "found", lineterm=""))[:40])


def damage(path, pick):
    """One process alone finds the wrong checksum, but all have to know about it."""
    with open(path, "r+b") as trace:
        place = pick.randrange(os.path.getsize(path))
        trace.seek(place)
        byte = trace.read(1)[0]
        trace.seek(place)
        trace.write(bytes([byte ^ 1 << pick.randrange(8)]))


def check(tarry, analyze, mpirun, text, counts, pick=None):
    """Whether processes shared the work. `pick`: of a damaged trace."""
    shared = True
    with tempfile.TemporaryDirectory() as folder:
        assemble(tarry, text, os.path.join(folder, "t.tarry"))
        if pick:
            damage(os.path.join(folder, "t.tarry"), pick)
        for command, options in COMMANDS:
            expected, _ = run([tarry, command, *options], folder, pick)
            for processes in counts:
                words = [*mpirun, "-n", str(processes), analyze, *(["--report"] if command == "report" else []), *options]
                found, alone = run(words, folder, pick)
                shared = shared and not alone
                for one, other, what in zip(found, expected, ("exit code", "output", "errors", "JSON")):
                    assert one == other, "%s of %s differs with %d processes:\n%s" % (
                        what, shlex.join([command, *options]), processes, difference(other, one))
    return shared


def text_of(seed):
    pick = random.Random(seed)
    made = MADE[seed % len(MADE)](seed, pick)
    return "\n".join(getattr(made, "trace", made).lines()) + "\n"


def main(tarry, analyze, mpirun, count="12", first="1"):
    shared = 0
    seeds = range(int(first), int(first) + int(count) * int(os.environ.get("TARRY_MORE_SEEDS", 1)))
    for seed in seeds:
        text = text_of(seed)
        try:
            shared += check(tarry, analyze, mpirun.split(), text, PROCESSES if seed % 8 == 1 else (2 + seed % 4,))
            if seed % 4 == 3:
                check(tarry, analyze, mpirun.split(), text, (2 + seed % 7,), random.Random(seed))
        except AssertionError as wrong:
            sys.exit("seed %d: %s" % (seed, wrong))
    print("%d of %d traces were divided" % (shared, len(seeds)))
    assert shared * 4 >= len(seeds), "too few traces were divided"


if __name__ == "__main__":
    main(*sys.argv[1:])
