"""Programs of libmpi_abi, MPI's standard binary interface, are recorded and checked, under each name that the library can have. No MPI library needs
to be installed: the test has one for a single process (library.c).

    abi.py BIN PROGRAM LIBRARY"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

BIN, PROGRAM, LIBRARY = sys.argv[1:]
NAMES = ("libmpi_abi.so.0", "libmpi_abi.so.1", "libmpi_abi.so.12")
EXPECTED = [r"MPI_Init_thread .*level=2 ", r"MPI_Comm_dup .*newcomm=0x", r"MPI_Irecv .*peer=any tag=-1 .*room=40 ", r"MPI_Isend .*peer=0 tag=17 .*sent=40 ",
            r"MPI_Waitall .*done=0 source=0 source_tag=17 received=40 done=1", r"MPI_Send .*peer=null .*sent=2 ", r"MPI_Comm_attach_buffer .*comm=0x",
            r"MPI_Comm_iflush_buffer .*request=0", r"MPI_Allreduce .*op=3 .*sent=16", r"MPI_Allreduce .*op=1 .*in_place=1", r"MPI_Finalize"]


def with_name(folder, name):
    """The program and the library under this name, which has the length of the first or less."""
    old = os.path.basename(LIBRARY).encode() + b"\0"
    for path, target in ((PROGRAM, "app"), (LIBRARY, name)):
        with open(path, "rb") as file:
            content = file.read()
        assert content.count(old) >= 1 and len(name) < len(old), (path, old)
        with open(os.path.join(folder, target), "wb") as file:
            file.write(content.replace(old, (name.encode() + b"\0").ljust(len(old), b"\0")))
        shutil.copymode(path, os.path.join(folder, target))


def tarry(folder, *words):
    ended = subprocess.run([f"{BIN}/tarry", *words], cwd=folder, env={**os.environ, "LD_LIBRARY_PATH": folder}, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    return ended.stdout


def check_recorded(name):
    with tempfile.TemporaryDirectory() as folder:
        with_name(folder, name)
        said = tarry(folder, "run", "--no-analyze", "-o", "run", "--", "./app")
        assert "received 5" in said and "sum 4" in said, said
        dump = tarry(folder, "dump", "run")
        for pattern in EXPECTED:
            assert re.search(pattern, dump), (name, pattern, said, dump)


def check_checked():
    with tempfile.TemporaryDirectory() as folder:
        with_name(folder, NAMES[1])
        said = tarry(folder, "check", "--", "./app")
        assert "sum 4" in said and not re.search(r"^(error|warning)", said, re.M), said
        said = tarry(folder, "check", "--", "./app", "wrong")
        for mistake in ("count is -1", "datatype (0x21)", "never completed"):
            assert mistake in said, (mistake, said)


def check_collectives():
    with tempfile.TemporaryDirectory() as folder:
        with_name(folder, NAMES[1])
        said = tarry(folder, "coll", "--", "./app")
        assert "sum 4" in said and "left to MPI" not in said, said


def main():
    for name in NAMES:
        check_recorded(name)
    check_checked()
    check_collectives()


main()
