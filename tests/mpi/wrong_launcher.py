"""A program of one MPI library, started by the launcher of another: 'tarry run' reports it and returns 1, unless the program returns another
code.

    wrong_launcher.py TARRY MPICC LAUNCHER    (the two of different libraries)"""

import os
import subprocess
import sys
import tempfile

PROGRAM = r"""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return argc > 1 ? atoi(argv[1]) : 0;
}
"""


def main():
    tarry, mpicc, launcher = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "app.c"), os.path.join(folder, "app")
        with open(source, "w") as file:
            file.write(PROGRAM)
        subprocess.run([mpicc, "-o", program, source], check=True)
        for code in (0, 7):
            done = subprocess.run([tarry, "run", "--no-analyze", "--replace", "-o", os.path.join(folder, "t"), "--", launcher, "-n", "2",
                                   program, str(code)], capture_output=True, text=True, cwd=folder, timeout=100)
            if done.returncode != (code or 1) or "wrong launcher: 2 processes" not in done.stderr:
                sys.exit("a program with code %d: %d\n%s%s" % (code, done.returncode, done.stdout, done.stderr))


main()
