#include "bench/run/agreement.h"

#include <stdio.h>

enum { SENTENCE = 512 };

enum status agree(MPI_Comm comm, enum status own)
{
	char sentence[SENTENCE] = "";
	int rank, size, first;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	first = own == OK ? size : rank;
	MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
	if (first == size)
		return OK;
	if (own != OK)
		snprintf(sentence, sizeof sentence, "%s", trail_text());
	MPI_Bcast(sentence, SENTENCE, MPI_CHAR, first, comm);
	return fail("%s", sentence);
}

enum status mpi_status(int code, const char *function)
{
	char text[MPI_MAX_ERROR_STRING];
	int length;

	if (code == MPI_SUCCESS)
		return OK;
	if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
		return fail("%s failed with code %d", function, code);
	return fail("%s failed: %s", function, text);
}
