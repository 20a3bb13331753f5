"""Programs that are linked with MPICH under the names of its relatives are recorded: the library here gets such a name. Under the name of
the standard's own binary interface, which has other handles, the program runs unrecorded, and it is said.

    compatible.py BIN MPICC LAUNCHER LIBRARY"""

import os
import re
import subprocess
import sys
import tempfile

BIN, MPICC, LAUNCHER, LIBRARY = sys.argv[1:]
PROGRAM = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); puts("ran"); return 0; }
"""
RELATIVES = ("libmpi.so.12", "libmpi_c.so.12")  # Intel MPI, MVAPICH and others; Cray MPICH has the compiler's name in it
STANDARD = "libmpi_abi.so"


def soname_of(path):
    listing = subprocess.run(["readelf", "-d", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"SONAME.*\[(.*)\]", listing).group(1)


def rename_library(folder, name):
    """A copy with another name of the same length or shorter."""
    with open(LIBRARY, "rb") as file:
        content = file.read()
    old = b"\0" + soname_of(LIBRARY).encode() + b"\0"
    new = b"\0" + name.encode() + b"\0"
    if content.count(old) != 1 or len(new) > len(old):
        print(f"skipped: {LIBRARY} cannot be renamed")
        sys.exit(77)
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content.replace(old, new.ljust(len(old), b"\0")))
    return path


def run(folder, name):
    """What is said, and the text of the trace."""
    library = rename_library(folder, name)
    with open(os.path.join(folder, "app.c"), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    includes = [word for word in subprocess.run([MPICC, "-show"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
                if word.startswith("-I")]
    subprocess.run(["cc", *includes, "-o", "app", "app.c", library], cwd=folder, check=True)
    ended = subprocess.run([f"{BIN}/tarry", "run", "--no-analyze", "-o", "app", "--", LAUNCHER, "-n", "1", "./app"], cwd=folder,
                           env={**os.environ, "LD_LIBRARY_PATH": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert "ran\n" in ended.stdout, ended.stdout
    dump = subprocess.run([f"{BIN}/tarry", "dump", "app"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return ended.stdout, dump


def main():
    for name in RELATIVES:
        with tempfile.TemporaryDirectory() as folder:
            said, dump = run(folder, name)
            assert "MPI_Barrier" in dump and os.path.join(folder, name) in dump, (name, said, dump)
    with tempfile.TemporaryDirectory() as folder:
        said, dump = run(folder, STANDARD)
        assert "MPI_Barrier" not in dump and "standard binary interface" in said, (said, dump)


main()
