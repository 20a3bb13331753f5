/* The hand-written part of the fake MPI library, for the part that is generated from the table of calls. */
#ifndef TESTS_UNIT_FAKE_ANSWERS_H
#define TESTS_UNIT_FAKE_ANSWERS_H

#include "fake_control.h"

/* Notes the call; returns the planted code. */
int fake_enter(enum call_id id);

int fake_new_handle(void);
int fake_new_request(int persistent);
void fake_set_statuses(MPI_Status *statuses, int count);
void fake_set_indices(int *indices);
void fake_complete_one(MPI_Request *requests, int index);
void fake_complete_some(MPI_Request *requests);
void fake_complete_all(MPI_Request *requests, int count);

/* From Fortran to C and back. */
MPI_Status *fake_fortran_status(void *status);
void fake_fortran_indices(int *indices, int count);

/* Results of single functions beyond the kinds of their parameters. */
void fake_Cartdim_get(MPI_Comm comm, int *ndims);
void fake_Comm_group(MPI_Comm comm, MPI_Group *group);
void fake_Comm_rank(MPI_Comm comm, int *rank);
void fake_Comm_remote_group(MPI_Comm comm, MPI_Group *group);
void fake_Comm_remote_size(MPI_Comm comm, int *size);
void fake_Comm_size(MPI_Comm comm, int *size);
void fake_Comm_test_inter(MPI_Comm comm, int *flag);
void fake_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted);
void fake_Error_class(int code, int *class);
void fake_Get_library_version(char *version, int *length);
void fake_Get_version(int *version, int *subversion);
void fake_Graph_neighbors_count(MPI_Comm comm, int rank, int *count);
void fake_Group_size(MPI_Group group, int *size);
void fake_Group_translate_ranks(MPI_Group from, int count, const int *ranks, MPI_Group to, int *translated);
void fake_Query_thread(int *level);
void fake_Topo_test(MPI_Comm comm, int *topology);
void fake_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size);
void fake_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner);
void fake_Type_size(MPI_Datatype type, int *size);
void fake_Type_size_x(MPI_Datatype type, MPI_Count *size);
void fake_Type_get_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent);
void fake_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent);

#endif
