"""How often a job that is evaluated by its times may be run, and how long planted delays must be.

On a busy machine processes wait for CPUs. Planted delays must be long compared with that, so they are stretched by the number of processes
per CPU; on an idle machine by 1. A job is evaluated in its first run. If that was still disturbed, a second one is stretched further; it is
counted and printed. A third would be too many.

Steal time of a virtual machine is invisible to its processes: their work just takes longer. Such runs count if they are as planted, and do
not count otherwise. If there are no others, the test is skipped."""

import os
import re
import subprocess
import sys

TRIES = 2
# This load per CPU is caused by the test itself.
CALM = 3
LARGEST = 12
FURTHER = 3
# Of the time of all processors, in such a run.
HOST_MAY_TAKE = 0.01
DISTURBED_RUNS = 3
SKIPPED = 77


def stretch_now():
    wanted = max(os.getloadavg()[0], runnable()) / (os.cpu_count() or 1)
    return 1 if wanted <= CALM else min(LARGEST, round(wanted))


def runnable():
    with open("/proc/loadavg", encoding="ascii") as file:
        return int(file.read().split()[3].partition("/")[0])


def without_processor_s(tarry, trace):
    """How long all processes of a run had no CPU, including MPI_Init and MPI_Finalize, which are not part of the run."""
    calls = subprocess.run([tarry, "dump", "--no-source", trace], check=True, capture_output=True, text=True).stdout
    return sum(int(us) for us in re.findall(r" delay_(?:before|inside)=(\d+)", calls)) / 1e6


def processor_times():
    """Of all processors since the machine started: what its host took, and all."""
    with open("/proc/stat", encoding="ascii") as file:
        times = [int(word) for word in file.readline().split()[1:9]]
    return (times[7] if len(times) > 7 else 0), sum(times)


def taken_by_host(before):
    taken, all_time = (now - then for now, then in zip(processor_times(), before))
    return taken / max(all_time, 1)


def judge(name, attempt):
    """The errors of the last run. `attempt(stretch)` makes one and returns its errors: texts, or nothing."""
    stretch, number, disturbed = stretch_now(), 0, 0
    while number < TRIES:
        before = processor_times()
        wrong = attempt(stretch)
        taken = taken_by_host(before)
        number += 1
        print(f"{name}: run {number}, stretched {stretch} times: {wrong[0] if wrong else 'as planted'}", flush=True)
        if not wrong:
            break
        if taken > HOST_MAY_TAKE:
            number, disturbed = number - 1, disturbed + 1
            print(f"it does not count: the host of this machine took {taken:.0%} of its processors' time", flush=True)
            if disturbed == DISTURBED_RUNS:
                print("skipped: the host of this machine takes its processors away")
                sys.exit(SKIPPED)
        elif number < TRIES:
            print(f"{name}: tried again: {wrong[0]}", flush=True)
        stretch = min(stretch * FURTHER, LARGEST * FURTHER)
    return wrong


def judge_or_exit(name, attempt):
    wrong = judge(name, attempt)
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))
