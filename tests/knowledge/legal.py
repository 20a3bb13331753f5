"""The programs in the tests of the shipped rules, from which the pictures are drawn, use collective calls correctly: on a communicator,
file or window all processes call the same functions in the same order, with the same root. A non-blocking call does not match a blocking
one.

    legal.py SOURCE"""

import glob
import importlib.machinery
import importlib.util
import os
import re
import sys

SHARED = ("comm", "win", "file")


def collective_functions(source):
    """Functions that need other processes, according to the table of calls."""
    with open(os.path.join(source, "src/calls/mpi.calls"), encoding="utf-8") as file:
        text = file.read()
    entries = re.findall(r"^([A-Z]\w*(?: \w+)*)\n\t(.*)", text, re.MULTILINE)
    return {"MPI_" + name for names, flags in entries if "collective=" in flags for name in names.split()}


def load_drawing(source):
    loader = importlib.machinery.SourceFileLoader("draw_patterns", os.path.join(source, "scripts/draw-patterns"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def sequences(calls, collective):
    """(kind of object, its number) -> rank -> the calls of the rank on it, in order."""
    found = {}
    for call in sorted(calls, key=lambda call: call.start):
        if call.function not in collective:
            continue
        shared = next(((key, call.get(key)) for key in SHARED if call.get(key)), ("comm", "world"))
        found.setdefault(shared, {}).setdefault(call.lane[0], []).append((call.function, call.get("root")))
    return found


def complaints(calls, collective):
    for shared, by_rank in sequences(calls, collective).items():
        (first, wanted), *others = sorted(by_rank.items())
        for rank, made in others:
            pairs = zip(wanted, made)
            wrong = next(((ours, theirs) for ours, theirs in pairs if ours != theirs), None)
            if wrong:
                yield f"on {' '.join(shared)}, {wrong[0][0]} of rank {first} meets {wrong[1][0]} of rank {rank}"


def main():
    source = sys.argv[1]
    collective = collective_functions(source)
    assert {"MPI_Barrier", "MPI_Ibarrier", "MPI_Win_fence", "MPI_File_write_all"} <= collective, sorted(collective)
    drawing, checked, problems = load_drawing(source), 0, []
    for path in sorted(glob.glob(os.path.join(source, "rules", "*.rules"))):
        for name, calls, _ in drawing.tests_of(path):
            checked += any(sequences(calls, collective))
            problems += [f'{os.path.basename(path)}: test "{name}": {sentence}' for sentence in complaints(calls, collective)]
    assert checked > 50, checked
    print("\n".join(problems) or f"{checked} tests with collective calls are legal")
    return 1 if problems else 0


sys.exit(main())
