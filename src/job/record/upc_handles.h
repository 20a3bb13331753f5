/* Non-blocking operations of a thread of UPC that are under way, by the runtime's handle. Each has the lowest number that was
 * free when it began, so that a loop makes the same distinct calls each time round. */
#ifndef TARRY_JOB_RECORD_UPC_HANDLES_H
#define TARRY_JOB_RECORD_UPC_HANDLES_H

#include "job/record/handles.h"

#include <stdint.h>

/* Handles that stand for no operation: it was complete at once, or belongs to all implicit ones. */
#define UPC_HANDLE_NONE 0
#define UPC_HANDLE_IMPLICIT UINT64_MAX

enum { UPC_HANDLE_WORDS = 64 };

struct upc_handles {
	struct handles numbers;
	uint64_t taken[UPC_HANDLE_WORDS]; /* one bit for each number */
};

/* The number of a new operation; ABSENT when it cannot be followed, or needs not. */
int64_t upc_handle_add(struct upc_handles *handles, uint64_t handle);
/* Of one that ends; ABSENT: it is not known. */
int64_t upc_handle_remove(struct upc_handles *handles, uint64_t handle);

#endif
