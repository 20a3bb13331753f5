"""Several threads find the same as one, whether they evaluate rules or also look for causes and figures. In a build with the thread sanitizer, which ends print-findings where they race.

Usage: engine.py BENCH_GENERATE PRINT_FINDINGS RULES"""

import os
import subprocess
import sys
import tempfile

CALLS = 20000
WORKERS = 4


def findings(printer, trace, rules, workers, *options):
    done = subprocess.run([printer, trace, "--shipped", rules, "--threads", str(workers), *options], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {workers} workers, exit code {done.returncode}:\n{done.stderr}")
    return done.stdout


def main(generate, printer, rules):
    with tempfile.TemporaryDirectory() as folder:
        for workload in ("ring", "halo", "mixed"):
            trace = os.path.join(folder, workload + ".tarry")
            subprocess.run([generate, workload, trace, "--ranks", "16", "--calls", str(CALLS)], check=True,
                           stdout=subprocess.DEVNULL)
            alone, together = (findings(printer, trace, rules, workers) for workers in (1, WORKERS))
            assert "finding" in alone, f"nothing is found in '{workload}'"
            assert alone == together, f"'{workload}': {WORKERS} workers find\n{together}\nand one\n{alone}"
            for workers in (2, WORKERS):
                assert findings(printer, trace, rules, workers, "--passes") == alone, f"'{workload}': {workers} threads find something else"
            print(f"{workload}: {len(alone.splitlines())} lines, the same")


main(*sys.argv[1:])
