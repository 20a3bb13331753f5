"""Programs that have fewer processors than they would need."""

import os
import sys

CORES = 2
TRIES = 3


def skip_without_schedstat():
    if not os.path.exists("/proc/thread-self/schedstat"):
        print("skipped: the kernel does not tell who had to wait for a processor")
        sys.exit(77)


def stay_on_few_cores():
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


def attempt(check, make_report):
    """Chance decides who runs when."""
    for _ in range(TRIES):
        wrong = check(make_report())
        if not wrong:
            return
    sys.exit(f"FAILED: {wrong}")
