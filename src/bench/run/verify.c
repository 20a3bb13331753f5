#include "bench/run/verify.h"

#include "base/memory.h"
#include "bench/run/agreement.h"
#include "bench/run/buffers.h"

#include <stdlib.h>
#include <string.h>

enum { BETWEEN = 0xa5 }; /* bytes that belong to no element */

/* The content of a block: an element of one process, or the reduction of several. Ranks are modulo the
 * number of processes. */
struct content {
	const struct trial *trial;
	int first, last; /* contributing ranks */
	int receiver;    /* 0 if all get the same */
};

/* Small, so that no type overflows soon, and with zeros for logical operations. */
static int64_t given(const struct content *content, int rank, size_t index)
{
	uint64_t mixed = (uint64_t)rank * 31 + (uint64_t)content->receiver * 17 + index * 7 + 3;

	return (int64_t)(mixed % (content->trial->how ? 3 : 101));
}

int64_t verify_given(const struct trial *trial, int rank)
{
	return given(&(struct content){trial, rank, rank, 0}, rank, 0);
}

static int64_t element(const struct content *content, size_t index)
{
	int ranks = content->trial->ranks;
	int64_t value = given(content, (content->first + ranks) % ranks, index);

	for (int i = content->first + 1; i <= content->last; i++)
		value = content->trial->how->join(value, given(content, (i + ranks) % ranks, index));
	return value;
}

static void write_block(const struct content *content, int count, char *at)
{
	const struct datatype *datatype = &content->trial->datatype;
	size_t index = 0;

	for (int i = 0; i < count; i++, at += datatype->extent)
		for (size_t j = 0; j < datatype->count; j++)
			for (size_t k = 0; k < datatype->pieces[j].count; k++) {
				const struct piece *piece = &datatype->pieces[j];
				piece->basic->put(at + piece->offset + k * piece->basic->size,
				                  element(content, index++));
			}
}

static void write_input(const struct trial *trial, char *at)
{
	bool to_each = trial->operation->send == BLOCK_EACH;

	for (int i = 0; i < trial->out.count; i++) {
		struct content content = {trial, trial->rank, trial->rank, to_each ? trial->out.peers[i] : 0};
		write_block(&content, trial->out.counts[i], at + trial->out.places[i]);
	}
}

/* The input of an MPI_IN_PLACE call. */
static char *own_place(const struct trial *trial)
{
	bool gathers = trial->operation->send == ONE_BLOCK && trial->operation->receive == BLOCK_EACH;

	return trial->buffers->receive + (gathers ? trial->in.places[trial->rank] : 0);
}

/* The previous process combines its data with the local data. */
static bool joins_here(const struct trial *trial)
{
	enum sources sources = trial->operation->sources;

	return sources == FROM_PREVIOUS_AND_ME || sources == JOINED_AND_FETCHED ||
	       sources == SWAPPED_AND_FETCHED;
}

static void write_inputs(const struct trial *trial)
{
	struct content from_root = {trial, trial->root, trial->root, 0};

	memset(trial->buffers->send, BETWEEN, trial->buffers->slots.stride - trial->buffers->slots.shift);
	write_input(trial, trial->buffers->send);
	if (trial->send == MPI_IN_PLACE || joins_here(trial))
		write_input(trial, own_place(trial));
	if (trial->operation->send == NO_BLOCK && trial->rank == trial->root && trial->in.count)
		write_block(&from_root, trial->count, trial->buffers->receive);
}

static struct content from(const struct trial *trial, int first, int last)
{
	return (struct content){trial, first, last, trial->operation->send == BLOCK_EACH ? trial->rank : 0};
}

static struct content swapped(const struct trial *trial)
{
	int previous = (trial->rank + trial->ranks - 1) % trial->ranks;
	int giver = expects_next(previous) ? previous : trial->rank;

	return from(trial, giver, giver);
}

static struct content expected(const struct trial *trial, int peer)
{
	int me = trial->rank, last = trial->ranks - 1;

	switch (trial->operation->sources) {
	case FROM_ROOT:
		return from(trial, trial->root, trial->root);
	case FROM_PEER:
		return from(trial, peer, peer);
	case FROM_ALL:
		return from(trial, 0, last);
	case FROM_ALL_UP_TO_ME:
		return from(trial, 0, me);
	case FROM_ALL_BELOW_ME:
		return from(trial, 0, me - 1);
	case FROM_FIRST:
		return from(trial, 0, 0);
	case FROM_PARTNER:
		return from(trial, last - me, last - me);
	case FROM_PREVIOUS:
		return from(trial, me - 1, me - 1);
	case FROM_NEXT:
		return from(trial, me + 1, me + 1);
	case FROM_PREVIOUS_AND_ME:
		return from(trial, me - 1, me);
	case JOINED_AND_FETCHED:
		return peer == me ? from(trial, me - 1, me) : from(trial, peer, peer);
	case SWAPPED_AND_FETCHED:
		return peer == me ? swapped(trial) : from(trial, peer, peer);
	case FROM_NOBODY:
		break;
	}
	return from(trial, 0, 0);
}

/* Whether this process has a defined result. */
static bool receives(const struct trial *trial)
{
	const struct bench_operation *operation = trial->operation;
	bool is_first = trial->rank == 0, is_last = trial->rank == trial->ranks - 1;

	if (operation->sources == FROM_NOBODY || trial->receive == MPI_IN_PLACE)
		return false;
	if (operation->traits & IS_PAIR)
		return is_last || (is_first && operation->sources != FROM_FIRST);
	if (operation->traits & REDUCES && operation->traits & HAS_ROOT)
		return trial->rank == trial->root;
	return !(is_first && operation->sources == FROM_ALL_BELOW_ME);
}

static enum status compare_block(const struct trial *trial, int block, const char *image)
{
	size_t begin = (size_t)trial->in.places[block],
	       bytes = (size_t)trial->in.counts[block] * trial->datatype.extent;

	for (size_t i = begin; i < begin + bytes; i++)
		if (image[i] != trial->buffers->receive[i])
			return fail(
				"%s gave a wrong result: byte %zu of block %d in process %d is %d instead of %d; report this to the developers of the MPI library",
				trial->operation->name, i - begin, block, trial->rank,
				(unsigned char)trial->buffers->receive[i], (unsigned char)image[i]);
	return OK;
}

/* Padding inside a pair has no meaning. */
static void copy_holes(const struct trial *trial, int block, char *image)
{
	const struct basic *basic = trial->datatype.pieces[0].basic;
	size_t first = (size_t)trial->in.places[block] + basic->hole;

	for (size_t i = 0; i < (size_t)trial->in.counts[block] && basic->hole_bytes; i++)
		memcpy(image + first + i * basic->size, trial->buffers->receive + first + i * basic->size,
		       basic->hole_bytes);
}

/* Also checks the gaps between elements, which must be unchanged. */
static enum status compare(const struct trial *trial, char *image)
{
	for (int i = 0; i < trial->in.count; i++) {
		struct content content = expected(trial, trial->in.peers[i]);
		write_block(&content, trial->in.counts[i], image + trial->in.places[i]);
		copy_holes(trial, i, image);
	}
	for (int i = 0; i < trial->in.count; i++)
		TRY(compare_block(trial, i, image));
	return OK;
}

static int run_once(struct trial *trial)
{
	const struct bench_operation *operation = trial->operation;
	int code = operation->run(trial);

	if (code == MPI_SUCCESS && operation->after)
		code = operation->after(trial);
	return code;
}

enum status trial_verify(struct trial *trial)
{
	size_t bytes;
	char *image;
	enum status status;

	trial_turn(trial);
	write_inputs(trial);
	bytes = trial->buffers->slots.stride - trial->buffers->slots.receive_at - trial->buffers->slots.shift;
	image = memory_new(bytes, 1);
	memcpy(image, trial->buffers->receive, bytes);
	MPI_Barrier(trial->comm);
	status = mpi_status(run_once(trial), trial->operation->name);
	if (status == OK && receives(trial))
		status = compare(trial, image);
	free(image);
	return status;
}
