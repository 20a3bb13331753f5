"""Every function of the C library that libraries in the user's job use can either be made to fail by libfault.so, or
is listed in harmless.txt with the reason why not: so the tests of faults are complete.

    complete.py NM FAULT_LIBRARY LIBRARY …"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# What MPI libraries have, under names of their own.
OF_MPI = ("MPI_", "PMPI_", "ompi_", "OMPI_", "MPIR_", "mpi_", "pmpi_", "fake_", "MPIX_", "PMPIX_")


def symbols(nm, library, kind):
    lines = subprocess.run([nm, "-D", kind, library], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def harmless():
    with open(os.path.join(HERE, "harmless.txt"), encoding="ascii") as file:
        rows = [line.split("|")[0].split() for line in file if not line.startswith("#")]
    return {name for row in rows for name in row}


def main(nm, fault, *libraries):
    known = symbols(nm, fault, "--defined-only") | harmless()
    problems = [f"{library}: no test lets '{name}' fail, and harmless.txt does not say why"
                for library in libraries for name in sorted(symbols(nm, library, "--undefined-only") - known)
                if not name.startswith(OF_MPI)]
    print("\n".join(problems))
    sys.exit(1 if problems or not libraries else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
