"""Programs with fewer CPUs than they need."""

import os
import sys

from tries import judge_or_exit

CORES = 2


def skip_without_schedstat():
    if not os.path.exists("/proc/thread-self/schedstat"):
        print("skipped: the kernel does not tell who had to wait for a processor")
        sys.exit(77)


def stay_on_few_cores():
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


def attempt(name, check, make_report):
    """`make_report(stretch)` runs the job, `check(report, stretch)` returns the error in its report, or nothing."""
    def one_run(stretch):
        wrong = check(make_report(stretch), stretch)
        return [wrong] if wrong else []
    judge_or_exit(name, one_run)


def told(report):
    return [(finding["pattern"], finding["total_s"]) for finding in report["findings"]]


def blamed_without_reason(report, whom):
    """The error in the report of a program without enough CPUs."""
    if not any("without a CPU" in note for note in report["notes"]):
        return f"no note tells that {whom} had no processor: {report['notes']}"
    return f"the program is blamed: {told(report)}" if report["findings"] else None


def sleeper_missed(report, sleeper, seconds, patterns=None):
    """The error if less waiting is found for the sleeping rank, in findings of these patterns (all, if none are named)."""
    total = sum(finding["total_s"] for finding in report["findings"]
                if finding["partner"] and sleeper in finding["partner"]["ranks"] and (not patterns or finding["pattern"] in patterns))
    return f"{total} s of waiting for the one that sleeps: {told(report)}" if total < seconds else None
