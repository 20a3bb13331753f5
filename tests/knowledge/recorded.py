"""Recorded jobs, recorded/*.txt. The waits in a run of these programs depend on the system's scheduling. So `make test` evaluates recorded runs, and
`make test-long` new ones (planted.py, crowded.py).

    recorded.py TARRY FILE...
    recorded.py TARRY --record TRACE     prints the text of a trace without what belongs to one machine

The first line of a file says what is to be found in it:

    # planted examples/patterns/ID/bad.c     what the program says; see plan.py
    # crowded                                a note that processors were missing, and no finding
    # sleeper RANK SECONDS                   waits for this rank, at least as long"""

import json
import os
import re
import subprocess
import sys
import tempfile

from crowd import blamed_without_reason, sleeper_missed
from plan import faults, found_in_trace, least_of, plan_of
from planted import CALL

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
UNSENT_PROPERTIES = ("host", "node", "cpus", "launcher", "upc", "upc_version")
CALL_WITH_PLACE = re.compile(r"^(\d+ \d+ \S+)(?: site=\S+)?(.*?)  # ([\w.-]+):(\d+).*")


def planted(tarry, trace, source):
    findings, doubt = found_in_trace(tarry, trace)
    plan = plan_of(os.path.join(ROOT, source), CALL)
    return list(faults(findings, plan, doubt, least_of(plan)))


def report_of(tarry, trace):
    return json.loads(subprocess.run([tarry, "analyze", "--json", "-", trace], check=True, capture_output=True).stdout)


def crowded(tarry, trace):
    return blamed_without_reason(report_of(tarry, trace), "processes")


def sleeper(tarry, trace, rank, seconds):
    return sleeper_missed(report_of(tarry, trace), int(rank), float(seconds))


def problem_of(tarry, path, folder):
    trace = os.path.join(folder, os.path.basename(path) + ".tarry")
    subprocess.run([tarry, "assemble", "-o", trace, path], check=True)
    with open(path, encoding="utf-8") as file:
        kind, *words = file.readline().lstrip("# ").split()
    return {"planted": planted, "crowded": crowded, "sleeper": sleeper}[kind](tarry, trace, *words)


def cleaned(lines):
    """Without programs, paths, addresses and the environment. Places of calls become source lines."""
    for line in lines:
        words, call = line.split(), CALL_WITH_PLACE.match(line)
        if words[:1] in (["module"], ["source"], ["compare"]) or (words[:1] == ["property"] and words[1] not in UNSENT_PROPERTIES):
            continue
        if words[:1] == ["thread"]:
            yield f'source 1 "{next(filter(None, map(CALL_WITH_PLACE.match, lines)))[3]}" ""'
        line = re.sub(r'^property (host|node) ".*"', r'property \1 "node"', line)
        yield f"{call[1]} site=1+{int(call[4]):#x}{call[2]}" if call else line


def print_cleaned(tarry, trace):
    dumped = subprocess.run([tarry, "dump", trace], check=True, capture_output=True, text=True).stdout.splitlines()
    print("\n".join(cleaned(dumped)))


def main():
    tarry, *paths = sys.argv[1:]
    if paths[0] == "--record":
        return print_cleaned(tarry, paths[1])
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            problem = problem_of(tarry, path, folder)
            wrong += [f"{path}: {problem}"] if problem else []
    return "FAILED:\n" + "\n".join(wrong) if wrong else None


if __name__ == "__main__":
    sys.exit(main())
