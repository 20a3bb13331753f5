/* Creation and end of shared objects; and the C library's memory, which the Berkeley-like runtime reports. */
#include "runtime.h"

#include <stdlib.h>

static uint64_t first_object_new(const struct collective_call *call)
{
	return object_new(call->blocks, call->bytes, 0);
}

void *upcr_all_alloc(size_t blocks, size_t bytes, struct upcr_place at)
{
	void *object;

	START(GASP_UPC_ALL_ALLOC, at, blocks, bytes);
	object = (void *)result_of_first(first_object_new, &(struct collective_call){at, blocks, bytes});
	END(GASP_UPC_ALL_ALLOC, at, blocks, bytes, (void *)&object);
	return object;
}

void *upcr_global_alloc(size_t blocks, size_t bytes, struct upcr_place at)
{
	void *object;

	START(GASP_UPC_GLOBAL_ALLOC, at, blocks, bytes);
	object = (void *)object_new(blocks, bytes, 0);
	END(GASP_UPC_GLOBAL_ALLOC, at, blocks, bytes, (void *)&object);
	return object;
}

void *upcr_alloc(size_t bytes, struct upcr_place at)
{
	void *object;

	START(GASP_UPC_ALLOC, at, bytes);
	object = (void *)object_new(1, bytes, self.thread);
	END(GASP_UPC_ALLOC, at, bytes, (void *)&object);
	return object;
}

void upcr_free(void *object, struct upcr_place at)
{
	START(GASP_UPC_FREE, at, (void *)&object);
	object_free((uint64_t)object);
	END(GASP_UPC_FREE, at, (void *)&object);
}

/* Frees when all threads are there, on thread 0; the others need not wait for that. */
static void free_when_all_came(void (*make_free)(void *, struct upcr_place), void *object,
                               struct upcr_place at)
{
	enter_collective();
	if (self.thread == 0) {
		wait_for_threads(segment->entered, all_threads());
		make_free(object, at);
	}
	leave_collective();
}

void upcr_all_free(void *object, struct upcr_place at)
{
	free_when_all_came(upcr_free, object, at);
}

void upcr_all_lock_free(upc_lock_t *lock, struct upcr_place at)
{
	free_when_all_came(upcr_lock_free, lock, at);
}

void *upcr_malloc(size_t bytes, struct upcr_place at)
{
	void *new;

	START(GASP_C_MALLOC, at, bytes);
	new = malloc(bytes);
	END(GASP_C_MALLOC, at, bytes, new);
	return new;
}

void *upcr_realloc(void *old, size_t bytes, struct upcr_place at)
{
	void *volatile was = old; /* only its value is reported */
	void *new;

	START(GASP_C_REALLOC, at, old, bytes);
	new = realloc(old, bytes);
	END(GASP_C_REALLOC, at, was, bytes, new);
	return new;
}

void upcr_cfree(void *old, struct upcr_place at)
{
	void *volatile was = old; /* only its value is reported */

	START(GASP_C_FREE, at, old);
	free(old);
	END(GASP_C_FREE, at, was);
}
