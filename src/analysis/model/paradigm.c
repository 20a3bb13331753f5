#include "analysis/model/paradigm.h"

#include "calls/calls.h"

#include <string.h>

static void look_at_comms(const struct process *process, bool *upc, bool *mpi)
{
	for (size_t i = 0; i < process->comm_count; i++) {
		*upc |= process->comms[i].kind == COMM_UPC;
		*mpi |= process->comms[i].kind != COMM_UPC;
	}
}

enum paradigm paradigm_of(const struct reader *reader)
{
	bool upc = false, mpi = false;

	for (size_t i = 0; i < reader->process_count; i++)
		look_at_comms(&reader->processes[i], &upc, &mpi);
	if (!upc)
		return PARADIGM_MPI;
	return mpi ? PARADIGM_BOTH : PARADIGM_UPC;
}

bool marks_start(const struct call *call)
{
	return strcmp(call->outline->name, all_calls[CALL_upc_start].name) == 0;
}

bool is_upc_thread(const struct process *process)
{
	bool upc = false, mpi = false;

	look_at_comms(process, &upc, &mpi);
	return upc && !mpi;
}
