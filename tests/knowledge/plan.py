"""What is planted in a program, and if that is what was found: remarks behind a call, on the same line or the next ones.

    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    /* @mpi.late-standard-send rank=1 total=0.2 count=1 partner=0 */

rank     that are charged, separated by commas
total    seconds, of all of them together: right within 5 %, or what clocks may be wrong by, and what ranks had no
         processor for, but never by more than half of what is planted
count    occurrences
partner  ranks at the other end; `partner=`: there is none

All but `rank` may be left out. What costs less than a twentieth of what is planted is noise; on a busy machine, less than half of
it: the good program must not pass for the bad one."""

import copy
import json
import os
import re
import subprocess
import sys

from tries import without_processor_s

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))

from possible import impossible  # noqa: E402
from unchanged_replay import replay_fault  # noqa: E402

TOLERANCE = 0.05
BUSY_TOLERANCE = 0.5
# Where no times are planted.
LEAST_S = 0.4


class Planted:
    def __init__(self, pattern, words, line):
        self.pattern, self.line = pattern, line
        values = dict(word.split("=", 1) for word in words)
        self.ranks = numbers(values.pop("rank"))
        self.partners = numbers(values.pop("partner")) if "partner" in values else None
        self.total = float(values.pop("total", 0))
        self.count = int(values.pop("count", 0))
        if values:
            raise ValueError(f"line {line}: what is {' '.join(values)}?")


def found_in_trace(tarry, trace):
    """The findings of a run, and how many seconds of them are uncertain: clocks may be apart, and on a busy machine processes
    wait for CPUs."""
    done = subprocess.run([tarry, "report", "--all", "--json", "-", trace], check=True, capture_output=True)
    run = json.loads(done.stdout)
    wrong = impossible(run)
    if wrong:
        sys.exit("FAILED: the report says what cannot be:\n" + "\n".join(wrong))
    wrong = replay_fault(tarry, trace)
    if wrong:
        sys.exit("FAILED: " + wrong)
    # Origins only group what is planted.
    return [finding for finding in run["findings"] if not finding["pattern"].startswith("run.")], run["run"]["uncertainty_s"] + without_processor_s(tarry, trace)


def numbers(text):
    return sorted(int(number) for number in text.split(",") if number)


def settings_of(source):
    with open(source, encoding="utf-8") as file:
        for line in file.readlines()[:20]:
            if "tarry-example:" in line:
                words = line.partition("tarry-example:")[2].replace("*/", "").split()
                return dict(word.split("=", 1) for word in words)
    sys.exit(f"FAILED: '{source}' does not say how it is run")


def plan_of(source, calls):
    """`calls`: what a line with a call has in it."""
    found, call = [], 0
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            call = number if calls.search(line.partition("/*")[0]) else call
            for pattern, words in re.findall(r"@([a-z]+\.[-a-z0-9]+)([^@*]*)", line):
                found.append(Planted(pattern, words.split(), call))
    return found


def least_of(plan):
    """The shortest time that is planted."""
    return min((planted.total for planted in plan if planted.total), default=LEAST_S)


def stretched(plan, times):
    """The expected findings if all sleeps of a program take this many times as long."""
    longer = [copy.copy(planted) for planted in plan]
    for planted in longer:
        planted.total *= times
    return longer


def is_it(finding, planted, doubt):
    margin = max(TOLERANCE * planted.total, min(doubt, BUSY_TOLERANCE * planted.total))
    partner = finding["partner"] or {"ranks": []}
    return (finding["pattern"] == planted.pattern and finding["line"] == planted.line
            and finding["processes"] == planted.ranks
            and (not planted.total or abs(finding["total_s"] - planted.total) <= margin)
            and planted.count in (0, finding["occurrences"])
            and planted.partners in (None, partner["ranks"]))


def told(finding):
    partner = finding["partner"] or {"ranks": "nobody"}
    return (f"{finding['pattern']} on {finding['processes']} line {finding['line']}: {finding['occurrences']} times, "
            f"{finding['total_s']} s, partner {partner['ranks']}")


def cause_faults(finding, planted):
    """Causes add up to the finding, and one at its other end has computed too long; processes that it waited for may have, too."""
    causes = finding["causes"]
    if causes and sum(round(cause["total_s"] * 1e9) for cause in causes) != round(finding["total_s"] * 1e9):
        yield f"causes do not add up: {told(finding)}: {causes}"
    if causes and planted.partners and causes[0]["kind"] == "computing" and not set(causes[0]["ranks"]) & set(planted.partners):
        yield f"another cause: {told(finding)}: {causes[0]['text']}"


def faults(findings, plan, doubt, least):
    left = list(findings)
    for planted in plan:
        match = next((finding for finding in left if is_it(finding, planted, doubt)), None)
        if match:
            left.remove(match)
            yield from cause_faults(match, planted)
        else:
            yield f"not found: {planted.pattern} on {planted.ranks} line {planted.line}: {planted.total} s"
    for finding in left:
        if finding["total_s"] >= max(TOLERANCE * least, min(doubt, BUSY_TOLERANCE * least)):
            yield f"not planted: {told(finding)}"
