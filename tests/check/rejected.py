"""Programs that MPI ends because of an error: what MPI prints and the exit code of the job are the same under `tarry check`, which says why
the program ended.

    rejected.py --tarry build/bin/tarry --work DIR --library NAME,MPICC,MPICXX,FC,LAUNCHER,LIBRARY … [--each]"""

import argparse
import os
import re
import shutil
import subprocess
import sys

import pairs

ERRORS_FOUND = 4
# Addresses, processes, and random numbers of MPI.
CHANGING = re.compile(r"0x[0-9a-f]+|\[\d+,\d+\]|\d{3,}")
TRIES = 5
PROGRAMS = ("fatal-nthkey.c", "fatal-handler.c", "fatal_info_f08.F90")


def run(command, folder):
    done = subprocess.run([pairs.ON_ONE_MACHINE, *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=pairs.SECONDS, env=dict(os.environ, **pairs.FOR_OPEN_MPI))
    return done.returncode, done.stdout, done.stderr


def words_of_mpi(text):
    """MPI's message about the error: from its first line up to the output of tarry or the launcher."""
    found = re.findall(r"^(?:\[[^]]*\] \*\*\* .*|Abort\(.*|internal_.*|MPIR_.*|application called .*)$", text, re.MULTILINE)
    return [CHANGING.sub("N", line) for line in found]


def run_until_heard(command, folder):
    """Open MPI's launcher sometimes loses output, with or without us."""
    for _ in range(TRIES):
        code, _, error = run(command, folder)
        if words_of_mpi(error):
            break
    return code, error


def problems_of(options, library, name):
    folder = os.path.join(options.work, f"{library.name}-{name}")
    os.makedirs(folder)
    source, suffix, program = os.path.join(pairs.HERE, "pairs", "call", name), os.path.splitext(name)[1], os.path.join(folder, "program")
    subprocess.run([library.compilers[suffix], *pairs.FLAGS[suffix], "-g", "-DWRONG", "-o", program, source], cwd=folder, check=True)
    command = [library.launcher, "-n", "2", program]
    code, plain = run_until_heard(command, folder)
    words = words_of_mpi(plain)
    checked, error = run_until_heard([options.tarry, "check", "-o", "run", "--replace", "--", *command], folder)
    if checked != ERRORS_FOUND or "[call.fatal]" not in error:
        yield f"exit code {checked}, the error is not reported"
    if words_of_mpi(error) != words:
        yield f"MPI prints {words_of_mpi(error)} instead of {words}"
    if f"the job ended with exit code {code}\n" not in error:
        yield f"the exit code of the job is not {code}"
    print(f"{library.name}, {name}: {len(words)} lines, exit code {code}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("tarry", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--each", action="store_true", help="every program under each MPI library")
    options = parser.parse_args()
    options.tarry, options.work = os.path.abspath(options.tarry), os.path.abspath(options.work)
    shutil.rmtree(options.work, ignore_errors=True)
    libraries = [pairs.Library(text) for text in options.library]
    failed = 0
    for i, name in enumerate(PROGRAMS):
        for library in libraries if options.each else [libraries[i % len(libraries)]]:
            for problem in problems_of(options, library, name) if library.can_run(os.path.splitext(name)[1]) else ():
                print(f"FAILED: {library.name}, {name}: {problem}")
                failed += 1
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
