#!/usr/bin/env python3
"""The deadlock example under `tarry check`: the run is ended, the picture is shown first, and nothing is left running.

    deadlock_jobs.py BIN HERE MPICC LAUNCHER"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as tree

BIN, HERE, MPICC, LAUNCHER = sys.argv[1:5]
TARRY = os.path.join(BIN, "tarry")
KEPT = tempfile.TemporaryDirectory(prefix="deadlock-jobs-")
FOLDER = pathlib.Path(KEPT.name)
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def check(*arguments, ranks=4):
    line = [os.path.join(HERE, "scripts/mpirun-here"), TARRY, "check", "--replace", "--json", "told.json", "--svg", "drawn.svg", "--", LAUNCHER,
            "-n", str(ranks), "./exchange", *arguments]
    done = subprocess.run(line, cwd=FOLDER, env={**os.environ, "LC_ALL": "C.UTF-8"}, capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, check=False)
    told = json.loads((FOLDER / "told.json").read_text()) if (FOLDER / "told.json").exists() else {"findings": []}
    return done, told


def line_of(text):
    source = (FOLDER / "exchange.c").read_text().splitlines()
    return next(number for number, line in enumerate(source, 1) if text in line)


def processes():
    """That run here."""
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{number}/cwd") == str(FOLDER):
                yield number
        except OSError:
            pass


def all_end(seconds=60):
    end = time.monotonic() + seconds
    while any(processes()) and time.monotonic() < end:
        time.sleep(0.1)
    return not any(processes())


def deadlock():
    done, told = check()
    expect(done.returncode == 4, f"exit code {done.returncode}: {done}")
    lines = done.stderr.splitlines()
    begin = next((number for number, line in enumerate(lines) if line.startswith("A deadlock ended the run")), None)
    if begin is None:
        problems.append(f"the run was not ended: {done}")
        return
    send = line_of("MPI_Send(")
    picture = "\n".join(lines[begin:begin + 17])
    wanted = ["A deadlock ended the run. Checked up to that point: 4 processes.", "Found 1 error.", "", "error 1: Deadlock [deadlock.cycle]"]
    for rank in range(4):
        wanted += [f"  {'┌─►' if rank == 0 else '│  '} rank {rank}: MPI_Send, exchange.c:{send} (exchange)", None,
                   f"  {'└───┘' if rank == 3 else '│   ▼'}  waits until rank {(rank + 1) % 4} receives the message"]
    for number, line in enumerate(wanted):
        expect(line is None or lines[begin + number] == line, f"line {number} is not '{line}':\n{picture}")
    expect(all(f"dest={(rank + 1) % 4}" in lines[begin + 5 + 3 * rank] for rank in range(4)), f"arguments: {picture}")
    found = told["findings"][0]
    expect([finding["id"] for finding in told["findings"]] == ["deadlock.cycle"], f"nothing else: {told['findings']}")
    pairs = sorted((found["calls"][wait["from"]]["rank"], found["calls"][wait["to"]]["rank"]) for wait in found["waits"])
    expect(pairs == [(0, 1), (1, 2), (2, 3), (3, 0)], f"waits: {pairs}")
    drawn = " ".join(tree.parse(FOLDER / "drawn.svg").getroot().itertext())
    expect(re.search(r"rank 3\s+MPI_Send, exchange.c", drawn), f"the drawing: {drawn}")
    shown = pathlib.Path(HERE) / "docs/plots/deadlock.svg"
    expect((FOLDER / "drawn.svg").read_text() == shown.read_text(), f"{shown} is not what is drawn")
    expect(f"rank 0: MPI_Send, exchange.c:{send} (exchange)" in (pathlib.Path(HERE) / "README.md").read_text(), "README.md shows another line")
    expect(all_end(), "nothing is left")


def many(ranks=16):
    """The picture of a long cycle omits its middle; the findings have all of it."""
    done, told = check(ranks=ranks)
    expect(done.returncode == 4 and [finding["id"] for finding in told["findings"]] == ["deadlock.cycle"], f"{ranks} ranks: {done}")
    send = line_of("MPI_Send(")
    for wanted in (f"┌─► rank 0: MPI_Send, exchange.c:{send} (exchange)", f"⋮  {ranks - 5} more processes, each waiting for the next:",
                   f"⋮    ranks 3-{ranks - 3}: MPI_Send, exchange.c:{send} (exchange)", "└───┘  waits until rank 0 receives the message",
                   f"These {ranks} processes wait for each other, so none of these calls can return"):
        expect(wanted in done.stderr, f"'{wanted}' is not in the picture:\n{done.stderr}")
    for found in told["findings"]:
        pairs = sorted((found["calls"][wait["from"]]["rank"], found["calls"][wait["to"]]["rank"]) for wait in found["waits"])
        expect(pairs == [(rank, (rank + 1) % ranks) for rank in range(ranks)], f"waits of {ranks}: {pairs}")
    expect(all_end(), f"nothing is left of {ranks}")


def potential():
    done, told = check("10")
    expect(done.returncode == 0 and done.stdout == "2\n", f"the program is not disturbed: {done}")
    expect([finding["id"] for finding in told["findings"]] == ["deadlock.potential-send"], f"a warning: {told['findings']}")
    expect("┌─► rank 0: MPI_Send" in done.stderr, f"its picture: {done.stderr}")


def main():
    (FOLDER / "exchange.c").write_text((pathlib.Path(HERE) / "examples/deadlock/exchange.c").read_text())
    subprocess.run([MPICC, "-g", "-O1", "-o", "exchange", "exchange.c"], cwd=FOLDER, check=True)
    deadlock()
    many()
    potential()
    print("\n".join(problems) or "the deadlock is shown, and the run ended")
    sys.exit(bool(problems))


main()
