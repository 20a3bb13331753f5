"""EZTrace, which finds MPI's functions with dlsym(), writes the same trace with Tarry as without, whichever is first. If 'tarry exec' follows it, Tarry
records the program's calls and no others.

    eztrace.py BIN MPICC LAUNCHER MPI"""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

BIN, MPICC, LAUNCHER, MPI = sys.argv[1:]
PROGRAM = """#include <mpi.h>
int main(int argc, char **argv)
{
	int one = 1, sum = 0;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 3; i++)
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return sum != 1;
}
"""


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def run(folder, *command):
    ended = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert ended.returncode == 0, (command, ended.stdout)
    return ended.stdout


def seen(folder):
    """What EZTrace has written, by function."""
    trace = os.path.join(folder, "app_trace")
    printed = "".join(run(folder, "otf2-print", os.path.join(trace, name)) for name in os.listdir(trace) if name.endswith(".otf2"))
    shutil.rmtree(trace)
    return collections.Counter(re.findall(r"^ENTER .*?(MPI_[A-Za-z_]+)", printed, re.M))


def recorded(folder):
    dump = run(folder, f"{BIN}/tarry", "dump", "app")
    return [word for line in dump.splitlines() for word in line.split()[2:3] if word.startswith("MPI_")]


def main():
    for program in ("eztrace", "eztrace_avail", "otf2-print"):
        if not shutil.which(program):
            skip(f"{program} is not installed")
    if MPI not in subprocess.run(["eztrace_avail"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout.split():
        skip(f"this EZTrace has no module for {MPI}")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "app.c"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        run(folder, MPICC, "-g", "-o", "app", "app.c")
        job, tool = [LAUNCHER, "-n", "1"], ["eztrace", "-t", MPI]
        run(folder, *job, *tool, "./app")
        alone = seen(folder)
        assert alone["MPI_Allreduce"] == 3 and alone["MPI_Barrier"] == 1, alone
        run(folder, f"{BIN}/tarry", "run", "--no-analyze", "-o", "app", "--", *job, *tool, "./app")
        assert seen(folder) == alone
        assert recorded(folder).count("MPI_Allreduce") == 3, recorded(folder)
        os.remove(os.path.join(folder, "app.tarry"))
        for above in ([], [f"{BIN}/tarry", "run", "--no-analyze", "-o", "app", "--"]):
            run(folder, *above, *job, *tool, f"{BIN}/tarry", "exec", "-o", "app", "./app")
            assert seen(folder) == alone
            assert recorded(folder) == ["MPI_Init", *["MPI_Allreduce"] * 3, "MPI_Barrier", "MPI_Finalize"], recorded(folder)
            os.remove(os.path.join(folder, "app.tarry"))


main()
