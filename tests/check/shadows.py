"""Programs that receive in many ways (shadows/) have the same output with `tarry check --buffers=all`, which lets MPI receive into other memory, as
without.

    shadows.py --tarry build/bin/tarry --work DIR --library openmpi,mpicc,mpicxx,mpifort,mpirun,libmpi.so ... [--each]

A program runs under one MPI library, in turn, or under each of them (--each). Exit code 77: skipped."""

import argparse
import os
import subprocess
import sys

from pairs import FLAGS, FOR_OPEN_MPI, HERE, ON_ONE_MACHINE, SECONDS, Library

PROGRAMS = [("receives.c", []), ("receives.F90", []), ("receives.F90", ["-DWITH_F08"])]


def output_of(command, work, codes):
    """What rank 1 printed: nothing else prints between its lines."""
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=SECONDS, check=False, errors="replace",
                          env={**os.environ, **FOR_OPEN_MPI, "TARRY_LANG": "en"})
    if done.returncode not in codes:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compare(options, library, source, flags):
    """False: the library cannot build it."""
    suffix = os.path.splitext(source)[1]
    if not library.can_run(suffix):
        return False
    work = os.path.join(options.work, f"{library.name}-{source}{''.join(flags)}")
    os.makedirs(work, exist_ok=True)
    program = os.path.join(work, "program")
    subprocess.run([library.compilers[suffix], "-g", *FLAGS[suffix], *flags, os.path.join(HERE, "shadows", source), "-o", program],
                   check=True)
    run = [ON_ONE_MACHINE, library.launcher, "-n", "2", program]
    plain = output_of(run, work, (0,))
    # findings of programs that free active requests, cancel, and receive too little are expected
    checked = output_of([ON_ONE_MACHINE, options.tarry, "check", "--buffers=all", "--replace", "-o", "run", "--", *run[1:]], work, (0, 4))
    found = checked.partition("Check complete")[2]
    checked = checked.partition("Check complete")[0]
    if plain != checked or not plain:
        sys.exit(f"{library.name} {source} {flags}: without the checker it printed\n{plain}\nand with it\n{checked}{found}")
    if "[memory." in found:
        sys.exit(f"{library.name} {source} {flags}: nothing is wrong with its buffers\n{found}")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tarry", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--library", action="append", type=Library, default=[])
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    compared = 0
    for i, program in enumerate(PROGRAMS):
        for j, library in enumerate(options.library):
            if options.each or i % len(options.library) == j:
                compared += compare(options, library, *program)
    print(f"{compared} programs received the same")
    return 0 if compared else 77


if __name__ == "__main__":
    sys.exit(main())
