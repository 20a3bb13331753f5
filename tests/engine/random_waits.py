"""Random programs under the shipped rules: the wait states must be those of the formulas (waits.py), also with wrong
clocks, whose times are taken from print-times.

Usage: random_waits.py TARRY PRINT_FINDINGS PRINT_TIMES RULES [COUNT [FIRST_SEED]]
"""

import os
import random
import subprocess
import tempfile

from analyzed import analyze, compare_findings, differences
from programs import Program
from seeds import try_all
from message_waits import KINDS, WRONG_ORDER, message_findings, wrong_order
from waits import METRICS, STATES, Times, all_waits, check_time_is_there, findings_of, metrics_of, summed_up

EPS = 1000
FINDINGS = KINDS + tuple("mpi." + state for state in STATES)


def corrected_times(printer, path):
    done = subprocess.run([printer, path], capture_output=True, timeout=200, check=True)
    times = {}
    for line in done.stdout.decode().splitlines():
        words = line.split()
        if words[0] == "event":
            process, start, end, start_ns, end_ns = map(int, words[1:6])
            times[process, start], times[process, end] = start_ns, end_ns
    return times


def check(tools, seed):
    tarry, print_findings, print_times, rules = tools
    pick = random.Random(seed)
    program = Program(seed, pick.randrange(2, 9), pick.choice((5, 20, 80)), shifted=seed % 3 == 0)
    with tempfile.TemporaryDirectory() as folder:
        told = analyze(tarry, print_findings, program.trace.text(), threads=1 + seed % 2, folder=folder, shipped=rules)
        corrected = corrected_times(print_times, os.path.join(folder, "t.tarry"))
    times = Times(corrected)
    waits = all_waits(program, times)
    metrics = {state: told.metrics.get(state, (0, 0)) for state in METRICS}
    wrong = list(differences(metrics_of(waits), metrics))
    assert not wrong, "\n".join(wrong)
    right = wrong_order(program, times)
    wrong = list(differences(right, {name: told.metrics.get(name, (0, 0)) for name in right}))
    assert not wrong, "\n".join(wrong)
    found = list(message_findings(program, times, EPS)) + findings_of(waits, EPS)
    check_time_is_there(found, times)
    compare_findings(summed_up(found), {key: value for key, value in told.findings.items() if key[0] in FINDINGS})
    return {wait.state for wait in waits + found} | {name for name, (count, _) in right.items() if count}


if __name__ == "__main__":
    try_all(check, 4, METRICS + KINDS + WRONG_ORDER)
