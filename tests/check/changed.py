"""Messages and broadcasts whose data a faulty layer below the checker changes (changed/layer.c) are found with `tarry check --buffers=all`, each receive of changed/messages.c in its
line; nothing is found if the layer changes nothing, or only bytes that are not part of the data.

    changed.py --tarry build/bin/tarry --work DIR --library openmpi,mpicc,mpicxx,mpifort,mpirun,libmpi.so ... [--each]

Runs under the first MPI library, or under each of them (--each). Exit code 77: skipped."""

import argparse
import json
import os
import re
import subprocess
import sys

from pairs import FLAGS, FOR_OPEN_MPI, HERE, ON_ONE_MACHINE, SECONDS, Library

SOURCE = os.path.join(HERE, "changed", "messages.c")
CHECKS = {"message.data-changed", "collective.data-changed"}


def cases():
    """Lines of the receives, by the names of their cases. A call of several lines has its name on the last."""
    with open(SOURCE, encoding="utf-8") as file:
        lines = file.read().splitlines()
    found = {}
    for number, line in enumerate(lines, 1):
        match = re.search(r"/\* CASE (\w+) \*/", line)
        if match:
            first = number
            while not re.match(r"\s*MPI_\w+\(", lines[first - 1]):
                first -= 1
            found[match.group(1)] = range(first, number + 1)
    return found


def check(options, library, work, byte):
    """Lines of receives with changed data."""
    environment = {**os.environ, **FOR_OPEN_MPI, "TARRY_LANG": "en", "LD_PRELOAD": os.path.join(work, "layer.so")}
    if byte is not None:
        environment["CHANGED_BYTE"] = str(byte)
    command = [ON_ONE_MACHINE, options.tarry, "check", "--buffers=all", "--replace", "-o", "run", "--json", "found.json", "--",
               library.launcher, "-n", "2", os.path.join(work, "messages"), "again"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment, errors="replace")
    with open(os.path.join(work, "found.json"), encoding="utf-8") as file:
        found = json.load(file)["findings"]
    if done.returncode not in (0, 4) or any(finding["id"] not in CHECKS for finding in found) or " bytes" not in done.stdout:
        sys.exit(f"{library.name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return {call["line"] for finding in found for call in finding["calls"] if call["role"] == "received"}, done.stdout


def find_nothing(options, library, work):
    """If it is unknown which calls belong together, different data is not an error (changed/shifted.c)."""
    subprocess.run([library.compilers[".c"], "-g", *FLAGS[".c"], os.path.join(HERE, "changed", "shifted.c"), "-o", os.path.join(work, "shifted")], check=True)
    done = subprocess.run([ON_ONE_MACHINE, options.tarry, "check", "--buffers=all", "--replace", "-o", "shifted-run", "--json", "shifted.json", "--",
                           library.launcher, "-n", "2", os.path.join(work, "shifted")], cwd=work, capture_output=True, text=True, timeout=SECONDS, check=False,
                          env={**os.environ, **FOR_OPEN_MPI, "TARRY_LANG": "en"}, errors="replace")
    with open(os.path.join(work, "shifted.json"), encoding="utf-8") as file:
        found = {finding["id"] for finding in json.load(file)["findings"]}
    if "request.freed-active" not in found or found & CHECKS:
        sys.exit(f"{library.name}, shifted.c: found {sorted(found)}\n{done.stdout}{done.stderr}")


def compare(options, library):
    work = os.path.join(options.work, library.name)
    os.makedirs(work, exist_ok=True)
    mpicc = library.compilers[".c"]
    subprocess.run([mpicc, "-g", *FLAGS[".c"], SOURCE, "-o", os.path.join(work, "messages")], check=True)
    subprocess.run([mpicc, "-g", *FLAGS[".c"], "-D_GNU_SOURCE", "-shared", "-fPIC", os.path.join(HERE, "changed", "layer.c"), "-ldl",
                    "-o", os.path.join(work, "layer.so")], check=True)
    find_nothing(options, library, work)
    expected = cases()
    # the changed byte, and the cases in which that is found
    for byte, names in ((None, set()), (0, set(expected)), (1, set(expected) - {"gaps", "bcast_gaps"})):
        lines, printed = check(options, library, work, byte)
        found = {name for name, places in expected.items() if lines & set(places)}
        others = lines - {line for places in expected.values() for line in places}
        if found != names or others:
            sys.exit(f"{library.name}, byte {byte}: not found: {sorted(names - found)}, found: {sorted(found - names)}, "
                     f"other lines: {sorted(others)}\n{printed}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tarry", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--library", action="append", type=Library, default=[])
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    libraries = [library for library in options.library if library.can_run(".c")]
    for library in libraries if options.each else libraries[:1]:
        compare(options, library)
    print(f"{len(cases())} receives")
    return 0 if libraries else 77


if __name__ == "__main__":
    sys.exit(main())
