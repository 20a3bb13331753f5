#!/usr/bin/env python3
"""Growth of the tools' time with the size of a trace: twice the size may take twice as long, not four times.

    growth.py TARRY

Prints the CPU time in seconds for three sizes and the ratio of each to the previous one: for generated traces, per command; and
for programs of one process that create and free MPI objects: without Tarry, recorded, reported and checked."""

import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from jobs_here import ON_ONE_MACHINE, compile_one, find_mpis

HEAD = """process world=1 rank=0 size=1
source 1 "a.c" "f"
comm 0xc0 kind=intra rank=0 size=1 remote=0 members=1:0 "MPI_COMM_WORLD"
thread 0
0 1000 MPI_Init
"""


def threads(count):
    """Threads of one process that send messages to themselves."""
    yield HEAD
    for number in range(count):
        yield f"thread {number}\n"
        for step in range(10):
            start = 10000 + 1000000 * step + 10 * number
            yield f"{start} {start + 4} MPI_Send site=1+{number % 50} peer=0 tag={number} comm=0xc0 sent=8\n"
            yield f"{start + 5} {start + 9} MPI_Recv site=1+{100 + number % 50} peer=0 tag={number} comm=0xc0 received=8\n"


def communicators(count):
    """Created and freed, one after the other, with a message in each."""
    yield HEAD.partition("thread")[0]
    for number in range(count):
        yield f'comm 0x{1000 + number:x} parent=0xc0 kind=intra rank=0 size=1 remote=0 members=1:0 ""\n'
    yield "thread 0\n0 1000 MPI_Init\n"
    for number in range(count):
        start, comm = 10000 + 100 * number, f"0x{1000 + number:x}"
        yield f"{start} {start + 9} MPI_Comm_dup site=1+1 comm=0xc0 newcomm={comm}\n"
        yield f"{start + 10} {start + 19} MPI_Barrier site=1+2 comm={comm}\n"
        yield f"{start + 20} {start + 29} MPI_Comm_free site=1+3 comm={comm}\n"


KINDS = ((threads, (2000, 4000, 8000), ("report", "info", "dump")),
         (communicators, (10000, 20000, 40000), ("report", "info", "dump")))
OBJECTS, OBJECT_COUNTS = ("communicators", "types", "requests"), (25000, 50000, 100000)


def cpu_seconds(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_growth(what, command, sizes, times):
    ratios = " ".join(f"{after / before:.1f}" for before, after in zip(times, times[1:]))
    print(f"{what:22} {command:8} {sizes}: " + " ".join(f"{time:.2f}" for time in times) + f" s, ratios {ratios}", flush=True)


def measure_traces(tarry, folder):
    for make, sizes, commands in KINDS:
        for size in sizes:
            text, trace = os.path.join(folder, "text"), os.path.join(folder, f"{size}.tarry")
            with open(text, "w", encoding="utf-8") as file:
                file.writelines(make(size))
            subprocess.run([tarry, "assemble", "-o", trace, text], check=True)
        for command in commands:
            times = [min(cpu_seconds([tarry, command, os.path.join(folder, f"{size}.tarry")]) for _ in range(3)) for size in sizes]
            print_growth(make.__name__, command, sizes, times)


def measure_jobs(tarry, folder, mpi):
    program = os.path.join(folder, "objects")
    compile_one([mpi.compiler, "-O2", "-g", "-o", program, os.path.join(HERE, "objects.c")])
    for kind in OBJECTS:
        times = {"plain": [], "run": [], "report": [], "check": []}
        for count in OBJECT_COUNTS:
            trace = os.path.join(folder, f"{mpi.name}-{kind}-{count}.tarry")
            job = [mpi.launcher, "-n", "1", program, kind, str(count)]
            for command, line in (("plain", [ON_ONE_MACHINE, *job]), ("run", [ON_ONE_MACHINE, tarry, "run", "-o", trace, "--", *job]),
                                  ("report", [tarry, "report", trace]),
                                  ("check", [ON_ONE_MACHINE, tarry, "check", "-o", trace.removesuffix(".tarry"), "--", *job])):
                times[command].append(cpu_seconds(line))
        for command, seconds in times.items():
            print_growth(f"{mpi.name} {kind}", command, OBJECT_COUNTS, seconds)


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        measure_traces(tarry, folder)
        for mpi in find_mpis(os.path.dirname(os.path.dirname(tarry))):
            measure_jobs(tarry, folder, mpi)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
