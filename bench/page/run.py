"""How fast a report page loads and how smoothly its timeline moves, in headless Chromium: `make bench-page`, or run.py BUILD/test.

The report of 64 ranks with 10 million calls; one million of them are on the screen while it is panned. The same trace behind 'tarry view', and a
page that has as many single calls as a page has room for. Prints the figures with the budgets and the machine, and writes BUILD/../bench/page.json."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "tests", "page")]
import jobs_here
import pages

LOAD_MS, FRAMES_PER_S = 1000, 50
RANKS, CALLS, ON_SCREEN, SINGLE_CALLS = 64, 10_000_000, 1_000_000, 79_000


def make_page(tarry, generate, folder, name, calls):
    trace, page = os.path.join(folder, name + ".tarry"), os.path.join(folder, name + ".html")
    subprocess.run([generate, "mixed", trace, "--ranks", str(RANKS), "--calls", str(calls)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([tarry, "report", "--html", page, trace], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return trace, page


def measure(browser, modules, folder, cases):
    listed = os.path.join(folder, "cases.json")
    with open(listed, "w", encoding="utf-8") as file:
        json.dump(cases, file)
    ended = subprocess.run(["node", os.path.join(HERE, "frames.mjs"), browser, listed], cwd=modules, check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in ended.stdout.splitlines()]


def show(figures, machine):
    print(f"{machine['cores']} cores of {machine['processor']} ({machine['architecture']}), {machine['system']}, load {machine['load']:.1f}")
    print(f"{'64 ranks':48} {'load':>9} {'of it busy':>11} {'frames/s':>9} {'median':>9} {'slowest 5 %':>12} {'busy':>9}")
    missed = 0
    for one in figures:
        is_missed = one["load_ms"] > LOAD_MS or one["frames_per_s"] < FRAMES_PER_S
        missed += is_missed
        print(f"{one['name']:48} {one['load_ms']:>6.0f} ms {one['load_busy_ms']:>8.0f} ms {one['frames_per_s']:>9.1f} {one['frame_ms']:>6.1f} ms "
              f"{one['slow_frame_ms']:>9.1f} ms {one['frame_busy_ms']:>6.1f} ms  {'MISSED' if is_missed else 'kept'}")
    print(f"budgets: {LOAD_MS} ms to load at the most, {FRAMES_PER_S} frames/s at least; 'busy' is processor time of the page's thread")
    if missed and machine["load"] > machine["cores"]:
        print("other programs took a part of the processors: measure again when they have ended")
    return missed


def main(build):
    browser, modules = pages.find_browser(), os.path.join(build, "tests", "page", "modules")
    tarry, generate = os.path.join(build, "bin", "tarry"), os.path.join(build, "bench", "analyze", "bench-generate")
    pages.install(modules)
    with tempfile.TemporaryDirectory() as folder:
        trace, page = make_page(tarry, generate, folder, "long", CALLS)
        _, short = make_page(tarry, generate, folder, "short", SINGLE_CALLS)
        cases = [{"name": "10 million calls, 1 million on the screen", "address": pathlib.Path(page).as_uri(), "span": ON_SCREEN / CALLS},
                 {"name": "79,000 calls, all of them single ones", "address": pathlib.Path(short).as_uri(), "span": 1}]
        with pages.served(tarry, trace) as address:
            if address:
                cases.append({"name": "10 million calls behind 'tarry view', 1 million", "address": address, "span": ON_SCREEN / CALLS})
            machine = {**jobs_here.describe_machine(), "load": os.getloadavg()[0]}
            figures = measure(browser, modules, folder, cases)
    missed = show(figures, machine)
    os.makedirs(os.path.join(build, "..", "bench"), exist_ok=True)
    with open(os.path.join(build, "..", "bench", "page.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": machine, "figures": figures}, file, indent=1)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
