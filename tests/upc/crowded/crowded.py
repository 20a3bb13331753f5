"""More UPC threads than processors, which compute: they wait for each other in all ways, and nothing is found but a note that tells
why. If one of them sleeps besides, the waits for it are found.

    crowded.py --driver upcc --standin RUNTIME/bin --bin build/bin --work DIR

Exit code 77: skipped, as the kernel does not tell who had to wait for a processor."""

import argparse
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
EXAMPLES = os.path.join(ROOT, "examples", "upc")
sys.path.insert(0, os.path.join(ROOT, "tests", "knowledge"))

from crowd import attempt, skip_without_schedstat, stay_on_few_cores  # noqa: E402

THREADS, SLEEP_MS, TIMES = 4, 20, 15
SECONDS = 120


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


def told(report):
    return [(finding["pattern"], finding["total_s"]) for finding in report["findings"]]


def wrong_when_crowded(report):
    if not any("waited for a processor" in note for note in report["notes"]):
        return f"no note tells that threads had no processor: {report['notes']}"
    return f"the program is blamed: {told(report)}" if report["findings"] else None


def wrong_when_one_sleeps(report):
    blamed = [finding for finding in report["findings"]
              if finding["pattern"] == "upc.barrier-wait" and THREADS - 1 in finding["partner"]["ranks"]]
    total = sum(finding["total_s"] for finding in blamed)
    # All others wait for each sleep, but come late themselves. On a machine that does much else as well, this is little.
    if total < SLEEP_MS * 1e-3 * TIMES:
        return f"{total} s of waiting for the one that sleeps: {told(report)}"
    return None


def main():
    options = read_options()
    skip_without_schedstat()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = os.path.join(options.work, "crowded")
    subprocess.run([os.path.join(options.bin, "tarry"), "upcc", "--", os.path.join(options.standin, options.driver), "-g", "-Wall",
                    "-Wextra", f"-I{EXAMPLES}", os.path.join(HERE, "crowded.upc"), "-o", program], check=True)
    attempt(wrong_when_crowded, lambda: report_of(options, program))
    attempt(wrong_when_one_sleeps, lambda: report_of(options, program, str(SLEEP_MS), show=["--all"]))
    print("crowded: a note, and no finding; with one that sleeps: it is found")


main()
