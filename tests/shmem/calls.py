"""An OpenSHMEM program under Open MPI: the recorded calls of each PE with their fields and lines, without times, are those in calls.expected; output and exit
code are those of a run without Tarry.

    calls.py --oshcc oshcc --oshrun oshrun --bin build/bin --work DIR [--record]"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
EXPECTED = os.path.join(HERE, "calls.expected")
EVENT = re.compile(r"\d+ \d+ (\S+)((?: [a-z_]+=(?:\"[^\"]*\"|\S+))*)(?:\s+# (.*))?$")
# Fields that differ from run to run.
DROPPED = {"site", "path", "blocked_before", "delay_before", "delay_inside"}
SECONDS = 200


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("oshcc", "oshrun", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    options.bin, options.work = os.path.abspath(options.bin), os.path.abspath(options.work)
    return options


def run(words):
    # Open MPI 4.1 may crash in shmem_finalize() with its memory hooks, also without Tarry.
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([ON_ONE_MACHINE, *words, folder], check=False, capture_output=True, text=True, timeout=SECONDS,
                              env=dict(os.environ, OMPI_MCA_memory="^patcher"))
    return done.returncode, sorted(done.stdout.splitlines())


def numbered(value, kind, known):
    """Identities by the order in which they are first seen."""
    return f"{kind}{known.setdefault((kind, value), 1 + sum(name == kind for name, _ in known))}"


def calls_of(tarry, trace):
    dump = subprocess.run([tarry, "dump", trace], check=True, capture_output=True, text=True).stdout
    known, rank = {}, "?"
    for line in dump.splitlines():
        begins = re.match(r"process (?:.* )?rank=(\d+)", line)
        rank = begins.group(1) if begins else rank
        event = EVENT.match(line)
        if not event:
            continue
        function, fields, place = event.groups()
        values = [field.split("=", 1) for field in fields.split()]
        shown = [f"{name}={numbered(value, name, known) if name in ('comm', 'mutex') else value}" for name, value in values if name not in DROPPED]
        yield " ".join([rank, function, *shown, os.path.basename((place or "?").split()[0])])


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program, trace, tarry = (os.path.join(options.work, name) for name in ("calls", "calls.tarry", "tarry"))
    tarry = os.path.join(options.bin, "tarry")
    subprocess.run([options.oshcc, "-g", "-O0", "-o", program, os.path.join(HERE, "calls.c")], check=True)
    plain = run([options.oshrun, "-n", "3", program])
    if plain[0] != 3:
        print(f"skipped: OpenSHMEM programs do not run here: exit code {plain[0]}")
        sys.exit(77)
    recorded = run([tarry, "run", "--no-analyze", "-o", trace, "--", options.oshrun, "-n", "3", program])
    if recorded != plain:
        sys.exit(f"FAILED: without Tarry {plain}, with it {recorded}")
    found = "\n".join(calls_of(tarry, trace)) + "\n"
    if options.record:
        with open(EXPECTED, "w", encoding="utf-8") as file:
            file.write(found)
        return
    with open(EXPECTED, encoding="utf-8") as file:
        differences = list(difflib.unified_diff(file.read().splitlines(), found.splitlines(), "expected", "found", lineterm=""))
    if differences:
        sys.exit("FAILED:\n" + "\n".join(differences))
    print(f"{len(found.splitlines())} calls")


main()
