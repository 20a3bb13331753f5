"""A tool that distinguishes calls by their return addresses, like mpiP, has the same output with Tarry as without: linked and preloaded, recorded and
checked. The trace has the program's lines, and none of the tool's own calls.

    sites.py BIN MPICC LAUNCHER"""

import os
import re
import subprocess
import sys
import tempfile

BIN, MPICC, LAUNCHER = sys.argv[1:]
TOOL = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
static long offsets[64]; static const char *functions[64]; static int count;
static void note(const char *function, char *address)
{
	Dl_info file;
	dladdr(address, &file);
	functions[count] = function;
	offsets[count++] = address - (char *)file.dli_fbase;
}
#define HERE __builtin_return_address(0)
int MPI_Send(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c)
{
	int size;
	note("MPI_Send", HERE); MPI_Comm_size(c, &size); PMPI_Type_size(t, &size);
	return PMPI_Send(b, n, t, to, tag, c);
}
int MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s)
{
	note("MPI_Recv", HERE);
	return PMPI_Recv(b, n, t, from, tag, c, s);
}
int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c)
{
	note("MPI_Allreduce", HERE);
	PMPI_Barrier(c);
	return PMPI_Allreduce(in, out, n, t, op, c);
}
int MPI_Finalize(void)
{
	int rank, one = 1, sum = 0;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	for (int turn = 0; turn < sum; turn++, PMPI_Barrier(MPI_COMM_WORLD))
		for (int i = 0; turn == rank && i < count; i++)
			fprintf(stderr, "tool: %d %s %lx\\n", rank, functions[i], offsets[i]);
	return PMPI_Finalize();
}
"""
PROGRAM = """#include <mpi.h>
static int value, sum, rank;
static void __attribute__((noinline)) reduce(void)
{
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 2; i++) {
		if (rank == 0) {
			MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
			MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		} else {
			MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		reduce();
		MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
#ifdef WRONG
	if (rank == 0)
		MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
#endif
	MPI_Finalize();
	return 0;
}
"""
BINDINGS = (["-Wl,-z,now", "-Wl,-z,relro"], ["-Wl,-z,lazy"])


def line_of(text):
    return PROGRAM[:PROGRAM.index(text)].count("\n") + 1


def execute(folder, command, preloaded):
    environment = {**os.environ, **({"LD_PRELOAD": os.path.join(folder, "libmpisites.so")} if preloaded else {})}
    ended = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ended.returncode, ended.stdout


def told(text):
    return sorted(re.findall(r"tool: .*", text))


def check_trace(folder):
    dump = subprocess.run([f"{BIN}/tarry", "dump", "recorded"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    first_process = dump[:dump.index("\nprocess", dump.index("process") + 1)]
    calls = [(words[2], re.search(r"# app\.c:(\d+)", line)) for line in first_process.splitlines() for words in [line.split()]
             if len(words) > 2 and words[2].startswith("MPI_")]
    lines = [(name, int(place.group(1)) if place else 0) for name, place in calls]
    first, second, inner, last = (line_of("MPI_Send(&value, 1, MPI_INT, 1, 0"), line_of("MPI_Send(&value, 1, MPI_INT, 1, 1"),
                                  line_of("\tMPI_Allreduce"), line_of("\t\tMPI_Allreduce"))
    once = [("MPI_Send", first), ("MPI_Send", second), ("MPI_Allreduce", inner), ("MPI_Allreduce", last)]
    expected = [("MPI_Init", line_of("MPI_Init(")), ("MPI_Comm_rank", line_of("MPI_Comm_rank(")), *once, *once,
                ("MPI_Finalize", line_of("MPI_Finalize("))]
    assert lines == expected, (lines, expected, dump)


def look(folder, program, preloaded):
    job = ["--", LAUNCHER, "-n", "2", f"./{program}"]
    plain = execute(folder, job[1:], preloaded)
    assert len(told(plain[1])) == 16 and len(set(told(plain[1]))) == 8 and plain[0] == 0, plain
    for command in (["run", "--no-analyze", "-o", "recorded"], ["check", "-o", "checked"], ["check", "-o", "both", "--record"]):
        code, text = execute(folder, [f"{BIN}/tarry", *command, *job], preloaded)
        assert told(text) == told(plain[1]) and code == 0, (program, command, code, text, plain)
        if command[0] == "run":
            check_trace(folder)
        else:
            assert "No errors found" in text, text


def look_at_finding(folder):
    """A finding shows the program's line, not the tool's."""
    code, text = execute(folder, [f"{BIN}/tarry", "check", "-o", "wrong", "--", LAUNCHER, "-n", "2", "./wrong"], False)
    assert code == 4 and "message.lost" in text and f"app.c:{line_of('MPI_Send(&value, 1, MPI_INT, 1, 2')}" in text, (code, text)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("tool.c", TOOL), ("app.c", PROGRAM)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for binding in BINDINGS:
            for command in (["-shared", "-fPIC", *binding, "-o", "libmpisites.so", "tool.c"], ["-o", "plain", "app.c"],
                            ["-o", "linked", "app.c", "./libmpisites.so", "-Wl,-rpath,."],
                            ["-DWRONG", "-o", "wrong", "app.c", "./libmpisites.so", "-Wl,-rpath,."]):
                subprocess.run([MPICC, "-g", "-O1", *command], cwd=folder, check=True)
            look(folder, "linked", False)
            look(folder, "plain", True)
        look_at_finding(folder)


main()
