/* Access to memory of the next process: a fence, one access by each process, a fence. */
#include "bench/run/collectives.h"

#include "base/memory.h"
#include "bench/run/agreement.h"
#include "bench/run/buffers.h"
#include "bench/run/verify.h"

#include <stdlib.h>

struct exposed {
	MPI_Win window;
	_Alignas(16) char expected[16]; /* one element, the expected value of a swap */
};

static MPI_Win window_of(const struct trial *t)
{
	return ((const struct exposed *)t->own)->window;
}

static int next(const struct trial *t)
{
	return (t->rank + 1) % t->ranks;
}

static enum status prepare(struct trial *t)
{
	struct exposed *exposed = memory_new(1, sizeof *exposed);
	size_t bytes = t->buffers->slots.stride * t->buffers->slots.count + t->buffers->slots.shift;

	exposed->window = MPI_WIN_NULL;
	t->own = exposed;
	t->datatype.pieces[0].basic->put(exposed->expected,
	                                 verify_given(t, expects_next(t->rank) ? next(t) : t->rank));
	TRY(mpi_status(MPI_Win_create(t->buffers->region, (MPI_Aint)bytes, 1, MPI_INFO_NULL, t->comm,
	                              &exposed->window),
	               "MPI_Win_create"));
	MPI_Win_set_errhandler(exposed->window, MPI_ERRORS_RETURN);
	return OK;
}

static void release(struct trial *t)
{
	struct exposed *exposed = t->own;

	if (exposed && exposed->window != MPI_WIN_NULL)
		MPI_Win_free(&exposed->window);
	free(exposed);
	t->own = NULL;
}

/* All processes use the same slot. */
static MPI_Aint place(const struct trial *t, const void *buffer)
{
	return (const char *)buffer - t->buffers->region;
}

static int put(struct trial *t)
{
	return MPI_Put(SEND, next(t), place(t, t->receive), t->count, t->type, window_of(t));
}

static int get(struct trial *t)
{
	return MPI_Get(RECEIVE, next(t), place(t, t->send), t->count, t->type, window_of(t));
}

static int accumulate(struct trial *t)
{
	return MPI_Accumulate(SEND, next(t), place(t, t->receive), t->count, t->type, t->reduction,
	                      window_of(t));
}

static char *fetched(const struct trial *t)
{
	return (char *)t->receive + t->in.places[1];
}

static int get_accumulate(struct trial *t)
{
	return MPI_Get_accumulate(SEND, fetched(t), t->count, t->type, next(t), place(t, t->receive),
	                          t->count, t->type, t->reduction, window_of(t));
}

static int fetch_and_op(struct trial *t)
{
	return MPI_Fetch_and_op(t->send, fetched(t), t->type, next(t), place(t, t->receive), t->reduction,
	                        window_of(t));
}

static int compare_and_swap(struct trial *t)
{
	const struct exposed *exposed = t->own;

	return MPI_Compare_and_swap(t->send, exposed->expected, fetched(t), t->type, next(t),
	                            place(t, t->receive), exposed->window);
}

static int between_fences(struct trial *t, int (*access)(struct trial *t))
{
	int code = MPI_Win_fence(MPI_MODE_NOPRECEDE, window_of(t));

	if (!code)
		code = access(t);
	return code ? code : MPI_Win_fence(MPI_MODE_NOSUCCEED, window_of(t));
}

#define RUN(name) \
	static int run_##name(struct trial *t) \
	{ \
		return between_fences(t, name); \
	}

RUN(put)
RUN(get)
RUN(accumulate)
RUN(get_accumulate)
RUN(fetch_and_op)
RUN(compare_and_swap)

#define ENTRY(name, help, traits, receive, sources, run_) \
	{ \
		name, "one-sided", help, IS_ONE_SIDED | (traits), 2, ONE_BLOCK, receive, sources, \
			.prepare = prepare, .run = run_, .release = release \
	}

const struct bench_operation one_sided_operations[] = {
	ENTRY("MPI_Put", "data written to the next process, between fences", HAS_SIZE, ONE_BLOCK,
              FROM_PREVIOUS, run_put),
	ENTRY("MPI_Get", "data read from the next process, between fences", HAS_SIZE, ONE_BLOCK, FROM_NEXT,
              run_get),
	ENTRY("MPI_Accumulate", "data combined with data of the next process, between fences",
              HAS_SIZE | REDUCES, ONE_BLOCK, FROM_PREVIOUS_AND_ME, run_accumulate),
	ENTRY("MPI_Get_accumulate", "the same, and fetches the previous value", HAS_SIZE | REDUCES,
              TWO_BLOCKS, JOINED_AND_FETCHED, run_get_accumulate),
	ENTRY("MPI_Fetch_and_op", "the same with one element", IS_ONE_ELEMENT | REDUCES, TWO_BLOCKS,
              JOINED_AND_FETCHED, run_fetch_and_op),
	ENTRY("MPI_Compare_and_swap", "one element of the next process, between fences",
              IS_ONE_ELEMENT | IS_FOR_WHOLE_NUMBERS, TWO_BLOCKS, SWAPPED_AND_FETCHED, run_compare_and_swap),
	{0},
};
