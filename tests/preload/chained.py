"""Other tools that define MPI functions keep working under Tarry: linked with the program, or preloaded before or after Tarry, they get the same calls
as without it. The trace has these calls, unless the tool is first: then a note says how to put Tarry first. Functions that the program itself defines are
not recorded. Notes name them.

    chained.py BIN MPICC LAUNCHER"""

import os
import subprocess
import sys
import tempfile

BIN, MPICC, LAUNCHER = sys.argv[1:]
# Like a profiler: counts two functions, and prints the result at the end. Its own calls are not the program's.
TOOL = """#include <mpi.h>
#include <stdio.h>
static int barriers, reductions;
int MPI_Barrier(MPI_Comm comm) { int size; MPI_Comm_size(comm, &size); barriers += size; return PMPI_Barrier(comm); }
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	reductions++;
	return PMPI_Allreduce(in, out, count, type, op, comm);
}
int MPI_Finalize(void) { printf("tool: %d barriers, %d reductions\\n", barriers, reductions); fflush(stdout); return PMPI_Finalize(); }
"""
# Like Darshan: it also defines profiling names, calls one of them itself at the end, finds MPI's functions with dlsym(), and is not linked with MPI.
PROFILING_TOOL = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))
static int inits, reductions;
static MPI_Datatype last_type;
static MPI_Op last_op;
static MPI_Comm last_comm;
int MPI_Init(int *argc, char ***argv) { inits++; return NEXT(PMPI_Init)(argc, argv); }
int PMPI_Init(int *argc, char ***argv) __attribute__((alias("MPI_Init")));
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	reductions++;
	last_type = type, last_op = op, last_comm = comm;
	return NEXT(PMPI_Allreduce)(in, out, count, type, op, comm);
}
int PMPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm) __attribute__((alias("MPI_Allreduce")));
int MPI_Finalize(void)
{
	int sum;
	PMPI_Allreduce(&reductions, &sum, 1, last_type, last_op, last_comm);
	printf("tool: %d inits, %d reductions\\n", inits, sum);
	fflush(stdout);
	return NEXT(PMPI_Finalize)();
}
int PMPI_Finalize(void) __attribute__((alias("MPI_Finalize")));
"""
# Like GOTCHA: its dlsym() returns its own functions under the names of MPI's, and these call the first function of the name.
REDIRECTING_TOOL = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>
static void *find(void *handle, const char *name)
{
	void *(*next)(void *, const char *);
	*(void **)&next = dlvsym(RTLD_DEFAULT, "dlsym", "GLIBC_2.34");
	return next(handle, name);
}
static int reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	return ((__typeof__(&MPI_Allreduce))find(RTLD_DEFAULT, "MPI_Allreduce"))(in, out, count, type, op, comm);
}
void *dlsym(void *handle, const char *name)
{
	void *found = find(handle, name);
	return (handle == RTLD_NEXT || !found) && strcmp(name, "MPI_Allreduce") == 0 ? (void *)reduce : found;
}
"""
# Like TAU: processes that a process with the tool starts do not have it.
HIDING_TOOL = """#include <stdlib.h>
__attribute__((constructor)) static void hide(void) { unsetenv("LD_PRELOAD"); }
"""
PROGRAM = """#include <mpi.h>
int (*volatile barrier)(MPI_Comm) = MPI_Barrier;
int main(int argc, char **argv)
{
	int one = 1, sum = 0;
	MPI_Init(&argc, &argv);
	barrier(MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return sum != 1;
}
"""
# As EZTrace: a second definition of LD_PRELOAD, which the dynamic linker uses.
STARTER = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	static char preload[4096], *all[4096];
	int count = 0;
	for (char **variable = environ; *variable; variable++)
		all[count++] = *variable;
	snprintf(preload, sizeof preload, "LD_PRELOAD=./libmpitool.so:%s", getenv("LD_PRELOAD"));
	all[count] = preload;
	execve(argv[1], argv + 1, all);
	return 1;
}
"""
TOLD = "tool: 2 barriers, 1 reductions\n"
TOLD_PROFILING = "tool: 1 inits, 2 reductions\n"  # its own call is one, too


def compile_all(folder):
    for name, text in (("tool.c", TOOL), ("profiling.c", PROFILING_TOOL), ("redirecting.c", REDIRECTING_TOOL), ("hiding.c", TOOL + HIDING_TOOL), ("app.c", PROGRAM), ("starter.c", STARTER)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    for command in (["-shared", "-fPIC", "-o", "libmpitool.so", "tool.c"], ["-shared", "-fPIC", "-o", "libhiding.so", "hiding.c"], ["-o", "plain", "app.c"], ["-no-pie", "-fno-pic", "-o", "fixed", "app.c"],
                    ["-o", "linked", "app.c", "./libmpitool.so", "-Wl,-rpath,."], ["-o", "defining", "app.c", "tool.c"], ["-o", "starter", "-D_GNU_SOURCE", "starter.c"]):
        subprocess.run([MPICC, "-g", *command], cwd=folder, check=True)
    shown = subprocess.run([MPICC, "-show"], stdout=subprocess.PIPE, text=True, check=True).stdout
    includes = [word for word in shown.split() if word.startswith("-I")]
    for name in ("profiling", "redirecting"):
        subprocess.run(["cc", *includes, "-shared", "-fPIC", "-o", f"lib{name}.so", f"{name}.c"], cwd=folder, check=True)


def run(folder, program, preloaded=None, words=()):
    """The notes, and the calls of the trace."""
    tool = {"LD_PRELOAD": os.path.join(folder, preloaded)} if preloaded else {}
    ended = subprocess.run([f"{BIN}/tarry", "run", "--no-analyze", "-o", program, "--", LAUNCHER, "-n", "1", *words, f"./{program}"], cwd=folder,
                           env={**os.environ, **tool}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert ended.returncode == 0, ended.stdout
    dump = subprocess.run([f"{BIN}/tarry", "dump", program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return ended.stdout, [word for line in dump.splitlines() for word in line.split()[2:3] if word.startswith("MPI_")]


def main():
    recorded = ["MPI_Init", "MPI_Barrier", "MPI_Barrier", "MPI_Allreduce", "MPI_Finalize"]
    with tempfile.TemporaryDirectory() as folder:
        compile_all(folder)
        for program, preloaded in (("linked", None), ("plain", "libmpitool.so")):
            said, calls = run(folder, program, preloaded)
            assert said.count(TOLD) == 1 and calls == recorded, (program, said, calls)
            assert "libmpitool.so' defines MPI_Finalize, MPI_Allreduce, MPI_Barrier: it gets these calls, as without Tarry" in said, said
        said, calls = run(folder, "plain", "libprofiling.so")
        assert said.count(TOLD_PROFILING) == 1 and calls == recorded, (said, calls)
        assert "libprofiling.so' defines MPI_Finalize, MPI_Init, MPI_Allreduce: it gets these calls, as without Tarry" in said, said
        said, calls = run(folder, "plain", "libredirecting.so")
        assert calls == recorded and "defines" not in said, (said, calls)
        first = ["sh", "-c", f'LD_PRELOAD={folder}/libmpitool.so:$LD_PRELOAD exec "$@"', "sh"]
        said, calls = run(folder, "plain", words=first)
        assert said.count(TOLD) == 1 and "MPI_Allreduce" not in calls, (said, calls)
        assert "gets these calls before Tarry" in said and "start the program with 'tarry exec' after it" in said, said
        for words in (first, ["./starter"]):
            said, calls = run(folder, "plain", words=[*words, f"{BIN}/tarry", "exec"])
            assert said.count(TOLD) == 1 and calls == recorded and "before Tarry" not in said, (words, said, calls)
        hiding = ["sh", "-c", f'LD_PRELOAD={folder}/libhiding.so:$LD_PRELOAD exec "$@"', "sh", f"{BIN}/tarry", "exec"]
        said, calls = run(folder, "plain", words=hiding)
        assert said.count(TOLD) == 1 and calls == recorded and "before Tarry" not in said, (said, calls)
        checked = subprocess.run([f"{BIN}/tarry", "check", "--", LAUNCHER, "-n", "1", *hiding, "--check", "./plain"], cwd=folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
        assert checked.stdout.count(TOLD) == 1 and "Check complete: 1 process." in checked.stdout, checked.stdout
        for program in ("plain", "fixed"):
            said, calls = run(folder, program)
            assert "tool" not in said and "defines" not in said and calls == recorded, (said, calls)
        said, calls = run(folder, "defining")
        assert said.count(TOLD) == 1 and "MPI_Barrier" not in calls and "MPI_Init" in calls, (said, calls)
        assert "defining' defines MPI_Finalize, MPI_Allreduce, MPI_Barrier and gets these calls before Tarry" in said, said


main()
