#!/usr/bin/env python3
"""How far predictions of 'tarry whatif' are true: for each pattern, the bad program is recorded and its run predicted with all findings fixed; the good
program shows what that really saves.

    run.py BUILD [--mpi NAME] [--keep FOLDER] [PATTERN...]

Errors are parts of the length of the bad run. Budgets: 95 % of the reliable predictions are within 10 %, their median error is at most 3 %, and none is off by
more than 20 %. A pair is compared only if the good program makes the predicted fix: the same total work if work is distributed, the same work of the busiest rank if
calls are moved, shortened or removed. Otherwise the table says "another fix". Disturbed runs of the good program are not compared either.
With --keep, runs in FOLDER are not repeated. Exit code 1: a budget is exceeded."""

import argparse
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(ROOT, "tests", "knowledge")]

from jobs_here import ON_ONE_MACHINE, find_mpis  # noqa: E402
from plan import settings_of  # noqa: E402

PATTERNS = os.path.join(ROOT, "examples", "patterns")
KNOWLEDGE = os.path.join(ROOT, "tests", "knowledge")
RUNS = 3
SECONDS = 120
NEAR, FAR, MEDIAN, NEAR_PART = 0.10, 0.20, 0.03, 0.95
# Of the length of the bad run, for each rank: sleeping is not exact.
SAME_WORK = 0.05


def record(tarry, mpi, source, program, trace):
    """False: the program is not for this library."""
    settings = settings_of(source)
    if settings.get("mpi", mpi.name) != mpi.name:
        return False
    slow = settings["slow"].split(",") if "slow" in settings else []
    words = ["-include", os.path.join(KNOWLEDGE, "stretch.h"), "-DSTRETCH=1", *(f"-DSLOW_{name}" for name in slow)]
    if slow:
        words += ["-DSLOW_US=1000", os.path.join(KNOWLEDGE, "slow.c"), "-rdynamic"]
    subprocess.run([mpi.compiler, "-g", "-O1", "-w", *words, "-o", program, source, "-ldl"], check=True)
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_osc="^ucx")
    subprocess.run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", mpi.launcher, "-n", settings["ranks"],
                    program, *(settings["args"].split(",") if settings.get("args") else [])],
                   check=True, timeout=SECONDS, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return True


def json_of(tarry, command, trace):
    return json.loads(subprocess.run([tarry, command, "--json", "-", trace], check=True, capture_output=True).stdout)


def answers_of(tarry, trace):
    ranks = json_of(tarry, "report", trace)["summary"]["ranks"]
    return {**json_of(tarry, "whatif", trace), "work": [rank["computing_s"] for rank in ranks]}


def is_predicted_fix(bad, good):
    margin = SAME_WORK * bad["length_s"]
    if any(finding["remedy"] in ("work", "serve") for finding in bad["findings"]):
        return abs(sum(bad["work"]) - sum(good["work"])) <= margin * len(bad["work"])
    return abs(max(bad["work"]) - max(good["work"])) <= margin


def reason_against(bad, good):
    """None: the prediction is called reliable, and the good program shows whether it is true."""
    if not bad["together"]:
        return "no finding"
    if bad["together"]["doubt"]:
        return bad["together"]["doubt"]
    if any(answer["doubt"] == "crowded" for answer in good["conditions"]):
        return "good run crowded"
    return None if is_predicted_fix(bad, good) else "another fix"


def middle_run(tarry, mpi, folder, pattern, kind):
    """The answers for the run of median length; None: the program is not for this library."""
    runs = []
    for number in range(RUNS):
        base = os.path.join(folder, f"{pattern}-{mpi.name}-{kind}-{number}")
        source = os.path.join(PATTERNS, pattern, kind + ".c")
        if not os.path.exists(base + ".tarry") and not record(tarry, mpi, source, base, base + ".tarry"):
            return None
        runs.append(answers_of(tarry, base + ".tarry"))
    return sorted(runs, key=lambda run: run["length_s"])[RUNS // 2]


class Row:
    def __init__(self, pattern, mpi, bad, good):
        self.pattern, self.mpi, self.length = pattern, mpi.name, bad["length_s"]
        answer = bad["together"]
        self.doubt = reason_against(bad, good)
        self.predicted = answer["saves_s"] if answer else 0
        self.real = self.length - good["length_s"]
        self.error = (self.predicted - self.real) / self.length

    def text(self):
        return (f"| {self.pattern} | {self.mpi} | {self.length:.3f} | {self.predicted / self.length:.1%} | {self.real / self.length:.1%} "
                f"| {self.error:+.1%} | {'no: ' + self.doubt if self.doubt else 'yes'} |")


def rows_of(options, folder):
    tarry = os.path.abspath(os.path.join(options.build, "bin", "tarry"))
    for pattern in options.patterns or sorted(os.listdir(PATTERNS)):
        if not os.path.exists(os.path.join(PATTERNS, pattern, "bad.c")):
            continue
        for mpi in find_mpis(options.build):
            if options.mpi and mpi.name != options.mpi:
                continue
            try:
                bad = middle_run(tarry, mpi, folder, pattern, "bad")
                good = bad and middle_run(tarry, mpi, folder, pattern, "good")
            except (subprocess.SubprocessError, OSError) as error:
                print(f"{pattern} under {mpi.name}: {error}", file=sys.stderr)
                continue
            if good:
                yield Row(pattern, mpi, bad, good)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--mpi")
    parser.add_argument("--keep", default="")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_intermixed_args()
    folder = options.keep or os.path.join(options.build, "bench-whatif")
    os.makedirs(folder, exist_ok=True)
    if not options.keep:
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
    print("| pattern | library | run, s | predicted | real | error | reliable |\n|---|---|--:|--:|--:|--:|---|")
    rows = []
    for row in rows_of(options, folder):
        rows.append(row)
        print(row.text(), flush=True)
    reliable = [abs(row.error) for row in rows if not row.doubt]
    if not reliable:
        sys.exit("no prediction is reliable")
    near = sum(error <= NEAR for error in reliable) / len(reliable)
    median, far = statistics.median(reliable), sum(error > FAR for error in reliable)
    print(f"\n{len(rows)} pairs, {len(reliable)} reliable predictions: {near:.0%} within {NEAR:.0%} of the run (budget {NEAR_PART:.0%}), "
          f"median error {median:.1%} (budget {MEDIAN:.0%}), {far} off by more than {FAR:.0%} (budget 0)")
    if near < NEAR_PART or median > MEDIAN or far:
        sys.exit(1)


if __name__ == "__main__":
    main()
