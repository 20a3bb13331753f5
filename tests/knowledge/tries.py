"""How often a job that is judged by its times may be run, and how long what is planted in it has to be.

A machine that is busy with other things lets processes wait for a processor. What is planted has to be long against that, so
it is stretched by how many want each processor; on an idle machine by 1. A job is judged in its first run. If that was
disturbed all the same, a second one is stretched further; it is counted and printed. A third would be too many."""

import os
import re
import subprocess
import sys

TRIES = 2
# So many on a processor are the test itself.
CALM = 3
LARGEST = 12
FURTHER = 3


def stretch_now():
    wanted = max(os.getloadavg()[0], runnable()) / (os.cpu_count() or 1)
    return 1 if wanted <= CALM else min(LARGEST, round(wanted))


def runnable():
    with open("/proc/loadavg", encoding="ascii") as file:
        return int(file.read().split()[3].partition("/")[0])


def without_processor_s(tarry, trace):
    """How long all processes of a run had no processor, also in MPI_Init and MPI_Finalize, which are no part of the run."""
    calls = subprocess.run([tarry, "dump", "--no-source", trace], check=True, capture_output=True, text=True).stdout
    return sum(int(us) for us in re.findall(r" stolen_(?:before|inside)=(\d+)", calls)) / 1e6


def judge(name, attempt):
    """What is wrong in the last run. `attempt(stretch)` makes one and tells what is wrong in it: texts, or nothing."""
    stretch = stretch_now()
    for number in range(1, TRIES + 1):
        wrong = attempt(stretch)
        print(f"{name}: run {number}, stretched {stretch} times: {wrong[0] if wrong else 'as planted'}", flush=True)
        if not wrong:
            break
        stretch *= FURTHER
    return wrong


def judge_or_exit(name, attempt):
    wrong = judge(name, attempt)
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))
