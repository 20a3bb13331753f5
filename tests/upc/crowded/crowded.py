"""More computing UPC threads than CPUs: they wait for each other in all ways, and only a note is given that says why. If one of
them also sleeps, the waits for it are found.

    crowded.py --driver upcc --standin RUNTIME/bin --bin build/bin --work DIR

Exit code 77: skipped, because the kernel does not report scheduling delays."""

import argparse
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
EXAMPLES = os.path.join(ROOT, "examples", "upc")
sys.path[:0] = [os.path.join(ROOT, "tests", "knowledge"), os.path.join(HERE, "..")]

from crowd import (attempt, blamed_without_reason, skip_without_schedstat, sleeper_missed,  # noqa: E402
                   stay_on_few_cores)
from standin import for_compiler  # noqa: E402

THREADS, SLEEP_MS, TIMES = 4, 20, 15
SECONDS = 200


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("standin", "bin", "work"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--driver", required=True)
    return parser.parse_args()


def report_of(options, program, *arguments, show=()):
    trace, tarry = os.path.join(options.work, "crowded.tarry"), os.path.join(options.bin, "tarry")
    subprocess.run([tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", os.path.join(options.standin, "upcrun"), "-n",
                    str(THREADS), program, *arguments], check=True, timeout=SECONDS, preexec_fn=stay_on_few_cores,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = subprocess.run([tarry, "analyze", *show, "--json", "-", trace], check=True, capture_output=True)
    return json.loads(done.stdout)


def wrong_when_crowded(report, _stretch):
    return blamed_without_reason(report, "threads")


def wrong_when_one_sleeps(report, stretch):
    # All others wait for each sleep, but come late themselves.
    return sleeper_missed(report, THREADS - 1, stretch * SLEEP_MS * 1e-3 * TIMES, ["upc.barrier-wait"])


def main():
    options = read_options()
    skip_without_schedstat()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = os.path.join(options.work, "crowded")
    subprocess.run([os.path.join(options.bin, "tarry"), "upcc", "--", os.path.join(options.standin, options.driver), "-g",
                    *for_compiler(options.driver, ("-Wall", "-Wextra")), f"-I{EXAMPLES}", os.path.join(HERE, "crowded.upc"), "-o", program], check=True)
    attempt("crowded", wrong_when_crowded, lambda _: report_of(options, program))
    attempt("one sleeps", wrong_when_one_sleeps,
            lambda stretch: report_of(options, program, str(stretch * SLEEP_MS), show=["--all"]))
    print("crowded: a note, and no finding; with one that sleeps: it is found")


main()
