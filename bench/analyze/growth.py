#!/usr/bin/env python3
"""How the time of the tools grows with what a trace has: twice as much may take twice as long, not four times.

    growth.py TARRY

Prints, for each kind of trace and command, the CPU seconds for three sizes and how much each is of the one before."""

import os
import resource
import subprocess
import sys
import tempfile

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
    """Made and freed, one after the other, with a message in each."""
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


def cpu_seconds(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        for make, sizes, commands in KINDS:
            for size in sizes:
                text, trace = os.path.join(folder, "text"), os.path.join(folder, f"{size}.tarry")
                with open(text, "w", encoding="utf-8") as file:
                    file.writelines(make(size))
                subprocess.run([tarry, "assemble", "-o", trace, text], check=True)
            for command in commands:
                times = [min(cpu_seconds([tarry, command, os.path.join(folder, f"{size}.tarry")]) for _ in range(3)) for size in sizes]
                ratios = " ".join(f"{after / before:.1f}" for before, after in zip(times, times[1:]))
                print(f"{make.__name__:14} {command:8} {sizes}: " + " ".join(f"{time:.2f}" for time in times) + f" s, ratios {ratios}", flush=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
