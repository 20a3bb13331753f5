/* Preloaded: each process is a node of its own, with a name of its own. */
#include <mpi.h>
#include <stdio.h>

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
{
	int rank;

	(void)type;
	(void)info;
	PMPI_Comm_rank(comm, &rank);
	return PMPI_Comm_split(comm, rank, key, made);
}

int MPI_Get_processor_name(char *name, int *length)
{
	int rank;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	*length = sprintf(name, "h%d", rank);
	return MPI_SUCCESS;
}
