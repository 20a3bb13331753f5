/* Shared by the files that check arguments: reports of wrong arguments. */
#ifndef TARRY_JOB_CHECK_ARGUMENTS_ARGUMENT_CHECK_H
#define TARRY_JOB_CHECK_ARGUMENTS_ARGUMENT_CHECK_H

#include "job/check/buffers/call_buffers.h"
#include "job/check/objects/finding_draft.h"

/* A finding about one parameter. */
struct finding_draft argument_draft(struct argument_check *check, enum check which, int parameter);
/* argument.bad-value and argument.negative-count have the same values. */
void report_bad_value(struct argument_check *check, int parameter, int64_t value);
void report_bad_element(struct argument_check *check, int parameter, int64_t index, int64_t value);
void report_negative(struct argument_check *check, int parameter, int64_t value);
void report_negative_element(struct argument_check *check, int parameter, int64_t index, int64_t value);
void report_rank(struct argument_check *check, int parameter, int64_t rank, int64_t size,
                 const struct checked_object *comm);
void report_bad_word(struct argument_check *check, int parameter, const char *word);
void report_rank_element(struct argument_check *check, int parameter, int64_t index, int64_t rank,
                         int64_t size, const struct checked_object *object);
void report_root(struct argument_check *check, int parameter, int64_t root);
/* A null pointer in place of a variable or an array of this many bytes. */
void report_null(struct argument_check *check, int parameter, size_t bytes);

/* The buffer to which an array of counts, displacements or types belongs; NULL: none. */
const struct shaped_buffer *array_owner(const struct argument_check *check, int parameter);
/* The length of such arrays; -1: unknown. */
int64_t data_elements(const struct argument_check *check, const struct shaped_buffer *buffer);
/* Reports a null pointer in place of an array with elements. */
bool null_array_check(struct argument_check *check, int parameter);

/* Buffers: null, unmapped or overlapping ones. */
void buffers_check(struct argument_check *check);
/* The program's memory of a new window. */
void window_buffer_check(struct argument_check *check);
/* Reports MPI_IN_PLACE where it is not allowed; sets which sides matter. */
void in_place_check(struct argument_check *check);

/* Requirements of calls with the fact `arguments`. */
void values_check(struct argument_check *check);
/* A datatype that is a part of another one. */
void type_check(struct argument_check *check, int parameter, uint64_t handle);
/* The kind of communicator that the function needs. */
void comm_kind_check(struct argument_check *check);

#endif
