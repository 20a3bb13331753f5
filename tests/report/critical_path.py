#!/usr/bin/env python3
"""The critical path of reports is the one that path_walker.py finds in the text of the trace: its length, its ranks, and what it consists of.

    critical_path.py TARRY TEXT...     texts of traces; random programs are added"""

import os
import subprocess
import sys
import tempfile

from path_walker import Unknown, fault_of

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "engine"))

from programs import Program  # noqa: E402

RANDOM_PROGRAMS = 12


def texts_of(paths):
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            yield os.path.basename(path), file.read()
    for seed in range(1, RANDOM_PROGRAMS + 1):
        yield f"random program {seed}", Program(seed, 2 + seed % 7, (5, 20, 80)[seed % 3]).trace.text()


def main(tarry, *paths):
    faults, unknown, compared = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        trace, file = os.path.join(folder, "job.tarry"), os.path.join(folder, "job.txt")
        for name, text in texts_of(paths):
            with open(file, "w", encoding="utf-8") as written:
                written.write(text)
            subprocess.run([tarry, "assemble", "-o", trace, file], check=True, capture_output=True)
            try:
                fault = fault_of(tarry, trace)
            except Unknown as reason:
                unknown.append(f"{name} ({reason})")
                continue
            compared += 1
            faults += [f"{name}: {fault}"] if fault else []
    print(f"{compared} paths compared; not followed: {', '.join(unknown) or 'none'}")
    if faults:
        sys.exit("FAILED:\n" + "\n".join(faults))
    if compared < 2:
        sys.exit("FAILED: nearly nothing is compared")


if __name__ == "__main__":
    main(*sys.argv[1:])
