"""A program with sessions under an MPI library newer than that of Tarry's build: its calls are not reported as errors, and a note says what is not
seen. The stand-in for the newer library adds sessions to the existing one.

    newer.py BIN MPICC LAUNCHER"""

import os
import subprocess
import sys
import tempfile

BIN, MPICC, LAUNCHER = sys.argv[1:]
HEADER = """#include <mpi.h>
typedef struct session *New_Session;
int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, New_Session *session);
int MPI_Session_finalize(New_Session *session);
int MPI_Group_from_session_pset(New_Session session, const char *pset, MPI_Group *group);
int MPI_Comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *comm);
"""
LIBRARY = """#include "newer.h"
#define SAME(name) extern __typeof__(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));
int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, New_Session *session)
{
	*session = (New_Session)8;
	return info == MPI_INFO_NULL && errhandler == MPI_ERRORS_ARE_FATAL ? PMPI_Init(0, 0) : MPI_ERR_OTHER;
}
int MPI_Session_finalize(New_Session *session) { *session = 0; return PMPI_Finalize(); }
int MPI_Group_from_session_pset(New_Session session, const char *pset, MPI_Group *group)
{
	return session && *pset ? PMPI_Comm_group(MPI_COMM_WORLD, group) : MPI_ERR_OTHER;
}
int MPI_Comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *comm)
{
	(void)info, (void)errhandler;
	return *tag ? PMPI_Comm_create(MPI_COMM_WORLD, group, comm) : MPI_ERR_OTHER;
}
int MPI_Initialized(int *flag) { *flag = 0; return MPI_SUCCESS; }
SAME(Session_init) SAME(Session_finalize) SAME(Group_from_session_pset) SAME(Comm_create_from_group) SAME(Initialized)
"""
PROGRAM = """#include "newer.h"
#include <stdio.h>
int main(void)
{
	New_Session session;
	MPI_Group group;
	MPI_Comm comm;
	int rank, one = 1, sum = 0;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "x", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Comm_rank(comm, &rank);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	if (rank == 0)
		printf("sum %d\\n", sum);
	MPI_Group_free(&group);
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
	return sum != 2;
}
"""
NOTE = "MPI_Session_init is neither recorded nor checked: Tarry was built for an older version of"


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("newer.h", HEADER), ("newer.c", LIBRARY), ("app.c", PROGRAM)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for command in (["-shared", "-fPIC", "-o", "libnewer.so", "newer.c"], ["-g", "-o", "app", "app.c", "./libnewer.so", "-Wl,-rpath,."]):
            subprocess.run([MPICC, *command], cwd=folder, check=True)
        for command in (["check", "-o", "checked"], ["run", "--no-analyze", "-o", "recorded"]):
            ended = subprocess.run([f"{BIN}/tarry", *command, "--", LAUNCHER, "-n", "2", "./app"], cwd=folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
            said = ended.stdout
            assert "sum 2" in said and "before-init" not in said and NOTE in said, (command, ended.returncode, said)


main()
