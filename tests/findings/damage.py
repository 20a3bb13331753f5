#!/usr/bin/env python3
"""A log that is truncated, or has a wrong byte, at any position still gives its remaining content, and a truncated one is not
called complete.

    damage.py BIN STEP"""

import sys

from logs import FINISHED, TRUNCATED, Run, leak, log_bytes, negative

STEP = int(sys.argv[2])
whole = log_bytes(TRUNCATED + negative(1) + leak(0) + FINISHED + "end\n")
ends = [len(log_bytes(text)) for text in (TRUNCATED, TRUNCATED + negative(1), TRUNCATED + negative(1) + leak(0))]
run = Run(whole)
problems = []

for length in range(0, len(whole), 7 * STEP):
    run.write(0, whole[:length])
    told = run.json()
    if len(told["findings"]) != sum(end <= length for end in ends) or told["trust"]["complete"]:
        problems.append(f"cut at {length}: {len(told['findings'])} findings, {told['trust']}")
for at in range(0, len(whole), 11 * STEP):
    for value in (0, 255):
        run.write(0, whole[:at] + bytes([value]) + whole[at + 1:])
        code, _, err = run.show()
        if code not in (0, 4, 5):
            problems.append(f"byte {at} is {value}: exit code {code}, {err}")
print("\n".join(problems) or f"{len(whole)} bytes can be cut and damaged")
sys.exit(bool(problems))
