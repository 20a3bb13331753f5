#!/usr/bin/env python3
"""A replay of the event graph without a change gives the recorded times, to the microsecond.

    unchanged_replay.py TARRY TEXT...     texts of traces"""

import json
import os
import subprocess
import sys
import tempfile

LARGEST_ERROR_NS = 1000


def replay_fault(tarry, trace):
    """A sentence, or None."""
    done = subprocess.run([tarry, "whatif", "--json", "-", trace], capture_output=True, text=True)
    if done.returncode:
        return f"'tarry whatif' fails: {done.stderr}"
    answers = json.loads(done.stdout)
    error = answers["replay_error_ns"]
    if error > LARGEST_ERROR_NS:
        return f"the replay without a change is wrong by {error} ns"
    for answer in answers["conditions"] + answers["findings"]:
        if not answer["length_s"] >= 0 or not answer["saves_share"] <= 1:
            return f"a run of negative length: {answer}"
    return None


def main(tarry, *texts):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for text in texts:
            trace = os.path.join(folder, "job.tarry")
            subprocess.run([tarry, "assemble", "-o", trace, text], check=True, capture_output=True)
            fault = replay_fault(tarry, trace)
            if fault:
                faults.append(f"{text}: {fault}")
    if faults:
        sys.exit("FAILED:\n" + "\n".join(faults))


if __name__ == "__main__":
    main(*sys.argv[1:])
