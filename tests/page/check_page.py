"""Writes the page of a checked run with deadlocks, a hang, other findings and hostile texts, the page of a report with the same findings,
and russian.html next to it in Russian: check_page.py BIN FILE TRACE REPORT."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "findings"))
import waits  # noqa: E402
from logs import TRUNCATED, Run, leak, note  # noqa: E402

HOSTILE = "</script><script>window.hacked=1</script><img/src=x/onerror=window.hacked=2>"
run = Run(waits.ring(3) + waits.bystanders() + waits.knot() + waits.hang() + TRUNCATED + leak(0) + note(9) + note(8) + note(5) +
          waits.finding("deadlock.cycle", {"processes": 2, "behind": HOSTILE},
                        [(0, "MPI_Recv", "waits", f"x = {HOSTILE}", [9]), (1, "MPI_Recv", "waits", "y" * 500, [9])],
                        [(0, 1, "message", "all"), (1, 0, "message", "all")]) + waits.members(4) + "end\n")
code, _, errors = run.show("--html", sys.argv[2])
if code != 4:
    sys.exit(f"exit code {code}: {errors}")
for options in (), ("--lang", "ru"):
    file = os.path.join(os.path.dirname(sys.argv[4]), "russian.html") if options else sys.argv[4]
    subprocess.run([os.path.join(sys.argv[1], "tarry"), "report", "--html", file, "--check", str(run.check), *options, sys.argv[3]], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8"})
