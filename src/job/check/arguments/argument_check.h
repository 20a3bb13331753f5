/* Shared by the files that check arguments: reports of wrong arguments. */
#ifndef TARRY_JOB_CHECK_ARGUMENTS_ARGUMENT_CHECK_H
#define TARRY_JOB_CHECK_ARGUMENTS_ARGUMENT_CHECK_H

#include "job/check/buffers/call_buffers.h"
#include "job/check/objects/finding_draft.h"

/* "MPI_ANY_SOURCE", "-1" */
const char *rank_text(int64_t rank, char text[VALUE_TEXT]);
const char *tag_text(int64_t tag, char text[VALUE_TEXT]);

/* argument.bad-value and argument.negative-count, whose values are alike. */
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
/* Of a call that MPI may reject. */
void report_problem(struct argument_check *check, struct finding_draft *draft);

/* Buffers: null or unmapped, overlapping, MPI_IN_PLACE. */
void buffers_check(struct argument_check *check);
/* Where MPI_IN_PLACE must not be; sets what matters. */
void in_place_check(struct argument_check *check);

/* What calls with the fact `arguments` need beyond the kinds of their parameters. */
void values_check(struct argument_check *check);
/* A datatype that another one is made of. */
void type_of_struct_check(struct argument_check *check, int parameter, uint64_t handle);
/* Whether the communicator is of the kind that the function needs. */
void comm_kind_check(struct argument_check *check);

#endif
