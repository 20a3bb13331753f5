#!/usr/bin/env python3
"""Whole jobs under `tarry check` and `tarry exec --check`: lines and stacks of C, C++ and Fortran, findings of a process that is killed,
exit codes, suppressions by function, and a trace in addition.

    jobs.py BIN HERE MPICC MPICXX FC LAUNCHER"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

BIN, HERE, MPICC, MPICXX, FC, LAUNCHER = sys.argv[1:7]
TARRY = os.path.join(BIN, "tarry")
KEPT = tempfile.TemporaryDirectory(prefix="check-jobs-")
FOLDER = pathlib.Path(KEPT.name)
problems = []

C = """#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static inline __attribute__((always_inline)) void make(MPI_Datatype *type)
{
	MPI_Type_contiguous(2, MPI_INT, type);
}
__attribute__((noinline)) static void create(MPI_Datatype *type)
{
	make(type);
}
int main(int argc, char **argv)
{
	MPI_Datatype type;
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (argc > 1)
		MPI_Send(&rank, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	if (argc > 1 && strcmp(argv[1], "kill") == 0)
		kill(getpid(), SIGKILL);
	create(&type);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		puts("done");
	MPI_Finalize();
	return argc > 1 ? 7 : 0;
}
"""
CXX = """#include <mpi.h>
namespace heat {
template <class T> struct Grid {
	__attribute__((noinline)) void exchange(T value) { MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD); }
};
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	heat::Grid<int>().exchange(argc);
	MPI_Finalize();
}
"""
FORTRAN = """subroutine exchange(value)
  use mpi
  integer :: value, ierror
  call MPI_Send(value, -1, MPI_INTEGER, 0, 0, &
    MPI_COMM_WORLD, ierror)
end subroutine
program heat
  use mpi
  integer :: ierror
  call MPI_Init(ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call exchange(1)
  call MPI_Finalize(ierror)
end program
"""


OPENMP = """#include <mpi.h>
#include <omp.h>
static void step(int rank)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		MPI_Send(&rank, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
	int provided;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	step(provided);
	MPI_Finalize();
}
"""
FORTRAN_OPENMP = """program region
  use mpi
  use omp_lib
  integer :: ierror, provided
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) call MPI_Send(provided, -1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror)
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
"""
TYPES = """#include <mpi.h>
static void wrong(MPI_Datatype type)
{
	int value[64] = {0};
	MPI_Send(value, -1, type, 0, 0, MPI_COMM_WORLD);
	MPI_Type_free(&type);
}
int main(int argc, char **argv)
{
	MPI_Datatype type, other;
	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Type_vector(3, 1, 4, MPI_INT, &type);
	MPI_Type_commit(&type);
	wrong(type);
	MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &other);
	MPI_Type_create_resized(other, 0, 64, &type);
	MPI_Type_commit(&type);
	wrong(type);
	MPI_Type_commit(&other);
	wrong(other);
	MPI_Type_create_subarray(2, (int[]){8, 8}, (int[]){2, 2}, (int[]){1, 1}, MPI_ORDER_C, MPI_INT, &type);
	MPI_Type_commit(&type);
	wrong(type);
	MPI_Finalize();
}
"""


def expect(condition, what):
    if not condition:
        problems.append(what)


def build(name, compiler, source, *options):
    (FOLDER / name).write_text(source)
    program = name.partition(".")[0]
    subprocess.run([compiler, "-g", *options, "-o", program, name], cwd=FOLDER, check=True)
    return f"./{program}"


def run(*words):
    line = [os.path.join(HERE, "scripts/mpirun-here"), *words]
    return subprocess.run(line, cwd=FOLDER, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)


def check(*words):
    told = FOLDER / "told.json"
    told.unlink(missing_ok=True)
    done = run(TARRY, "check", "--replace", "--json", told, *words)
    return done, json.loads(told.read_text()) if told.exists() else {"findings": [], "trust": {}}


def frames(call):
    return [(frame["function"], os.path.basename(frame["file"] or ""), frame["line"]) for frame in call["stack"]]


def find(told, identity):
    found = [finding for finding in told["findings"] if finding["id"] == identity]
    expect(found, f"{identity} is not found: {[finding['id'] for finding in told['findings']]}")
    return found[0]["calls"][0] if found else {"stack": [], "arguments": "", "line": 0}


def in_c(program):
    done, told = check("--", LAUNCHER, "-n", "2", program)
    expect(done.returncode == 0 and done.stdout == "done\n", f"a warning alone: {done}")
    expect(told["trust"] == {"complete": True, "processes": 2, "reasons": []}, f"trust: {told['trust']}")
    expect(frames(find(told, "leak.datatype")) == [("make", "app.c", 8), ("create", "app.c", 12), ("main", "app.c", 25)],
           f"inlined callers are on the stack: {frames(find(told, 'leak.datatype'))}")
    done, told = check("--", LAUNCHER, "-n", "2", program, "wrong")
    expect(done.returncode == 4 and "exit code 7" in done.stderr, f"errors come first: {done}")
    expect(find(told, "argument.negative-count")["line"] == 22, "the line of the call")
    expect("count = -1" in find(told, "argument.negative-count")["arguments"], "its arguments")
    (FOLDER / "known").write_text("leak.* create\nargument.negative-count main\n")
    done, told = check("--suppress", "known", "--", LAUNCHER, "-n", "2", program, "wrong")
    expect(done.returncode == 7 and told["suppressed"] == 2 and not told["findings"], f"suppressed by functions: {done}, {told}")


def in_other_languages():
    _, told = check("--", LAUNCHER, "-n", "1", build("plus.cc", MPICXX, CXX))
    expect(frames(find(told, "argument.negative-count")) == [("exchange", "plus.cc", 4), ("main", "plus.cc", 11)],
           f"C++: {frames(find(told, 'argument.negative-count'))}")
    if not FC:
        return
    _, told = check("--", LAUNCHER, "-n", "1", build("heat.f90", FC, FORTRAN))
    expect(frames(find(told, "argument.negative-count")) == [("exchange", "heat.f90", 4), ("heat", "heat.f90", 12)],
           f"Fortran: {frames(find(told, 'argument.negative-count'))}")


def in_openmp():
    """Regions have the name of their function, and no frames of the runtime are between them."""
    _, told = check("--", LAUNCHER, "-n", "1", build("region.c", MPICC, OPENMP, "-fopenmp"))
    expect(frames(find(told, "argument.negative-count")) == [("step", "region.c", 7), ("step", "region.c", 5), ("main", "region.c", 14)],
           f"OpenMP: {frames(find(told, 'argument.negative-count'))}")
    if not FC:
        return
    _, told = check("--", LAUNCHER, "-n", "1", build("regions.f90", FC, FORTRAN_OPENMP, "-fopenmp", "-O0"))
    found = frames(find(told, "argument.negative-count"))
    expect([frame[1:] for frame in found] == [("regions.f90", 8), ("regions.f90", 7)] and "omp" not in str(found), f"OpenMP in Fortran: {found}")


def derived_types():
    """Argument lists name the call that created a datatype."""
    done, told = check("--all", "--", LAUNCHER, "-n", "1", build("types.c", MPICC, TYPES))
    made = [call["arguments"].partition("datatype = ")[2].split(",")[0] for finding in told["findings"] if finding["id"] == "argument.negative-count" for call in finding["calls"]]
    expect(made == [f"made by MPI_Type_{name}" for name in ("vector", "create_resized", "create_struct", "create_subarray")], f"derived datatypes: {made}")
    expect("datatype=MPI_Type_vector(...)" in done.stderr, f"in the text: {done.stderr}")


def killed(program):
    done, told = check("--", LAUNCHER, "-n", "2", program, "kill")
    expect(done.returncode == 4 and not told["trust"]["complete"], f"killed: {done}")
    find(told, "argument.negative-count")


def recorded(program):
    done, _ = check("--record", "-o", "both of them", "--", LAUNCHER, "-n", "2", program)
    expect(done.returncode == 0 and (FOLDER / "both of them.tarry").exists() and (FOLDER / "both of them.check").is_dir(), f"recorded: {done}")
    expect("tarry check --show 'both of them.check'\n" in done.stderr, f"the command that shows them can be copied: {done.stderr}")
    expect("MPI_Type_contiguous" in run(TARRY, "dump", "both of them.tarry").stdout, "the trace has the calls")


def is_tidy(folder):
    return (FOLDER / folder).is_dir() and all(name.startswith("analyser-") for name in os.listdir(FOLDER / folder))


def executed(program):
    done = run(LAUNCHER, "-n", "2", TARRY, "exec", "--check", "-o", "alone", program)
    expect(done.stdout == "done\n" and done.returncode == 0, f"exec: {done}")
    shown = run(TARRY, "check", "--show", "alone", "--json", "-")  # which waits for the analyser
    expect(json.loads(shown.stdout)["trust"]["complete"], f"complete: {shown}")
    expect(shown.returncode == 0 and find(json.loads(shown.stdout), "leak.datatype")["line"] == 8, f"shown: {shown}")
    expect(is_tidy("alone.check"), f"left behind by --show: {os.listdir(FOLDER / 'alone.check')}")
    for _ in range(2):  # nothing reads the findings: the next run waits for the previous analyser, and cleans up
        done = run(LAUNCHER, "-n", "2", TARRY, "exec", "--check", "-o", "twice", program)
        expect(done.returncode == 0, f"once more: {done}")
    expect(is_tidy("twice.old-1.check"), f"left behind: {list(FOLDER.glob('twice*/*'))}")


def lost(program):
    """Tarry is killed after the job: its findings exist, and nothing else."""
    done = run(TARRY, "check", "-o", "lost", "--", "sh", "-c", '"$@"; kill -9 $PPID', "sh", LAUNCHER, "-n", "2", program)
    expect(done.stdout == "done\n" and done.returncode == -9, f"lost: {done}")
    shown = run(TARRY, "check", "--show", "lost", "--json", "-")
    expect(json.loads(shown.stdout)["trust"]["complete"], f"complete: {shown}")
    expect(is_tidy("lost.check"), f"left behind by --show: {os.listdir(FOLDER / 'lost.check')}")


def main():
    program = build("app.c", MPICC, C, "-O2")
    in_c(program)
    in_other_languages()
    in_openmp()
    derived_types()
    killed(program)
    recorded(program)
    executed(program)
    lost(program)
    print("\n".join(problems) or "jobs are checked as they should")
    sys.exit(bool(problems))


main()
