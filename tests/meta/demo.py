"""`make demo` starts a rank for each core, at least 2, and names the slow one even while other programs use all
cores.

    demo.py BUILD"""

import json
import os
import re
import subprocess
import sys
import tempfile

STEPS, LOST = 20, 0.100  # as examples/heat/heat.c has them
ENOUGH = 0.5  # of what was planted; what the machine adds or hides in a step is smaller than the step


def run_demo(build):
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(os.cpu_count())]
    try:
        return subprocess.run(["scripts/demo", build], stdout=subprocess.PIPE, text=True, check=True,
                              env={**os.environ, "OMP_NUM_THREADS": "1"}).stdout
    finally:
        for process in load:
            process.kill()


def report_of(build):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        subprocess.run([f"{build}/bin/tarry", "report", "--json", path, f"{build}/demo/heat.tarry"],
                       stdout=subprocess.DEVNULL, check=True)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def main():
    build = sys.argv[1]
    screen = run_demo(build)
    ranks = int(re.search(r"-n (\d+) \./heat", screen).group(1))
    assert ranks == max(2, len(os.sched_getaffinity(0))), screen
    slow = ranks // 2
    assert f"\nRank {slow} of the example is slow on purpose" in screen, screen

    findings = report_of(build)["findings"]
    waits = sum(partner["total_s"] for finding in findings for partner in finding.get("partners", [])
                if finding["call"] == "MPI_Waitall" and partner["ranks"] == [slow])
    assert waits > ENOUGH * STEPS * LOST, (waits, screen)
    assert re.search(rf"\b[Rr]ank {slow}\b", findings[0]["advice"]), findings[0]["advice"]
    print(f"{ranks} ranks, {waits:.2f} s of waiting for rank {slow}")


main()
