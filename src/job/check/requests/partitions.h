/* Partitioned requests: which partitions of a send have been marked ready since its start. */
#ifndef TARRY_JOB_CHECK_REQUESTS_PARTITIONS_H
#define TARRY_JOB_CHECK_REQUESTS_PARTITIONS_H

#include "job/check/objects/request_table.h"

/* For a request of MPI_Psend_init or MPI_Precv_init. If out of memory, its partitions are not followed. */
void partitions_init(struct checked_request *request, int64_t count);
void partitions_release(struct checked_request *request);
/* The request starts: no partition is ready. */
void partitions_start(struct checked_request *request);

/* MPI_Pready, MPI_Pready_list, MPI_Pready_range, MPI_Parrived. */
void partitions_before(struct agent_call *call);
/* MPI_Parrived: a partition that has arrived belongs to the program. */
void partitions_after(struct agent_call *call, int rc);
/* A call waits for the completion of this request, alone or together with all others of its
 * array, so all partitions must be ready. */
void partitions_check_complete(struct agent_call *call, const struct checked_request *request);

#endif
