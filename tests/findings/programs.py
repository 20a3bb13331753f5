#!/usr/bin/env python3
"""The wrong and correct programs of docs/checks.md compile as C, with the variables below around them.

    programs.py DOCS MPICC...        with the first of them that knows MPI 4.0; those of OpenSHMEM with oshcc"""

import pathlib
import re
import shutil
import subprocess
import sys

PROGRAMS = re.compile(r"^### (\S+)\n(?:(?!^###).)*?\n```c\n/\* wrong \*/\n(.+?)\n\n/\* right \*/\n(.+?)\n```\n", re.S | re.M)

AROUND = """
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { TAG_HALO = 1 };
MPI_Comm comm, copy, mine, node, part, grid, left_comm, right_comm, comms[4], first_comm, second_comm;
MPI_Request request, requests[4], other_request;
MPI_Status status, statuses[4];
MPI_Datatype type, column, pair;
MPI_Group group;
MPI_Win window, win;
MPI_Op op;
MPI_Info info;
MPI_File file;
MPI_Errhandler handler;
MPI_Session session;
MPI_Message message;
MPI_Aint bytes;
int rank, size, n, i, j, m, key, step, steps, count, flag, provided, is_initialized, mode, left, right, done;
int dims[2], periods[2], coords[2], counts[4], displs[4], indices[4], *base;
int theirs[100], other, has_come, buf[100], out[100], in[100], value, sum;
double a[100], b[100], x, y, *memory;
char buffer[1000], first[1000], second[1000], *text;
int argc;
char **argv;
void add(void *, void *, int *, MPI_Datatype *);
void handle(MPI_Comm *, int *, ...);
void work();
pthread_t thread;
void *poll_messages(void *);
"""
AROUND_SHMEM = """
#include <shmem.h>
#include <stddef.h>
int me, count, i, pe, value, border, first, last, *from, *memory;
long p_sync[1000], lock;
size_t max_size;
void *buffer;
int *to;
void update();
"""


def functions(page, is_shmem):
    """One function for each program, with lines that errors name by the check."""
    for check, *programs in PROGRAMS.findall(page):
        if check.startswith("shmem.") != is_shmem:
            continue
        for kind, program in zip(("wrong", "right"), programs):
            yield f"void {re.sub(r'[^a-z]', '_', check)}_{kind}(void)\n{{\n#line 1 \"{check}, {kind}\"\n{program}\n}}\n"


def compile_with(mpicc, code):
    return subprocess.run([mpicc, "-x", "c", "-std=gnu11", "-fsyntax-only", "-w", "-"], input=code, capture_output=True, text=True)


def knows_sessions(mpicc):
    return compile_with(mpicc, "#include <mpi.h>\nMPI_Session session;\n").returncode == 0


def main():
    page = (pathlib.Path(sys.argv[1]) / "checks.md").read_text()
    code, code_of_shmem = (list(functions(page, is_shmem)) for is_shmem in (False, True))
    assert len(code + code_of_shmem) == 2 * page.count("\n### "), f"{len(code + code_of_shmem)} programs for {page.count(chr(10) + '### ')} checks"
    if shutil.which("oshcc"):
        compiled = compile_with("oshcc", AROUND_SHMEM + "".join(code_of_shmem))
        if compiled.returncode:
            sys.exit(compiled.stderr)
    mpicc = next(filter(knows_sessions, sys.argv[2:]), None)
    if not mpicc:
        print("skipped: no MPI library here knows sessions")
        return 77
    compiled = compile_with(mpicc, AROUND + "".join(code))
    print(compiled.stderr or f"{len(code)} programs compile")
    return compiled.returncode


if __name__ == "__main__":
    sys.exit(main())
