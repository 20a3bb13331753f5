#include "record/completion.h"

#include <string.h>

enum {
	/* The most words that a completed request adds: its number, source, tag, bytes, cancelled, a new communicator. */
	WORDS_PER_REQUEST = 12,
	FEW_WORDS = KEY_VALUES + 24,
	FIXED_WORDS = KEY_VALUES + 4,
};

/* One piece of the thread's memory holds the key, then the numbers. What the key has already moves along. */
static bool find_room(struct completion *done, size_t words, size_t numbers)
{
	char *memory = stream_scratch(done->s, words * sizeof(int64_t) + numbers * sizeof(uint32_t));

	if (!memory)
		return false;
	memcpy(memory, done->key, done->words * sizeof(int64_t));
	done->key = (int64_t *)memory;
	if (numbers)
		done->numbers = (uint32_t *)(memory + words * sizeof(int64_t));
	return true;
}

bool completion_room(struct completion *done, int pairs)
{
	size_t words = done->words + 2 * (size_t)(pairs > 0 ? pairs : 0);

	return words <= FEW_WORDS || find_room(done, words, 0);
}

static uint64_t handle_at(const void *requests, int i, bool fortran, const void **place)
{
	if (fortran) {
		*place = (const MPI_Fint *)requests + i;
		return HANDLE(f_request(*place));
	}
	*place = (const MPI_Request *)requests + i;
	return HANDLE(*(const MPI_Request *)*place);
}

/* A persistent request that was not started is complete before the call: the call does not complete it. */
static uint32_t claim_active(uint64_t handle, const void *place)
{
	uint32_t number = request_claim(handle, place);

	if (number == NO_REQUEST)
		return NO_REQUEST;
	if ((request_get(number)->traits & (REQUEST_PERSISTENT | REQUEST_STARTED)) != REQUEST_PERSISTENT)
		return number;
	request_unclaim(number);
	return NO_REQUEST;
}

void completion_begin(struct completion *done, struct stream *s, int count, const void *requests, bool fortran)
{
	const void *place;

	done->s = s;
	done->count = count < 0 ? 0 : count;
	done->key = done->few;
	done->numbers = &done->one;
	done->words = KEY_VALUES;
	done->wants_status = false;
	/* Too many to follow: the call is recorded, its completions are not. */
	if (done->count > 1 && !find_room(done, FIXED_WORDS + (size_t)count * WORDS_PER_REQUEST, (size_t)count))
		done->count = 0;
	for (int i = 0; i < done->count; i++) {
		uint64_t handle = handle_at(requests, i, fortran, &place);
		uint32_t number = claim_active(handle, place);

		done->numbers[i] = number;
		if (number != NO_REQUEST && request_get(number)->traits & (REQUEST_RECEIVES | REQUEST_CANCELLED))
			done->wants_status = true;
	}
}

MPI_Status *completion_status(struct completion *done, MPI_Status *given, bool ignored)
{
	return ignored && done->wants_status ? &done->status : given;
}

MPI_Status *completion_statuses(struct completion *done, MPI_Status *given, bool ignored)
{
	size_t bytes = (size_t)done->count * sizeof(MPI_Status);
	struct stream *s = done->s;

	if (!ignored || !done->wants_status)
		return given;
	if (bytes > s->statuses_bytes) {
		if (s->statuses)
			process_give_back(s->statuses, s->statuses_bytes);
		s->statuses_bytes = (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
		s->statuses = process_claim(s->statuses_bytes);
		if (!s->statuses)
			s->statuses_bytes = 0;
	}
	return s->statuses ? s->statuses : given;
}

void completion_value(struct completion *done, int64_t value)
{
	done->key[done->words++] = value;
}

void completion_pair(struct completion *done, enum field_key field, int64_t value)
{
	done->key[done->words++] = field;
	done->key[done->words++] = value;
}

static int64_t rank_of(int rank)
{
	return rank >= 0 ? rank : rank == MPI_PROC_NULL ? RANK_NULL : RANK_ANY;
}

static void add_received(struct completion *done, const struct request *request, const MPI_Status *status)
{
	if (request->traits & REQUEST_CANCELLED && status_cancelled(status)) {
		completion_pair(done, FIELD_CANCELLED, 1);
	} else if (request->traits & REQUEST_RECEIVES) {
		completion_pair(done, FIELD_SOURCE, rank_of(status->MPI_SOURCE));
		completion_pair(done, FIELD_SOURCE_TAG, status->MPI_TAG);
		completion_pair(done, FIELD_RECEIVED, status_bytes(status));
	}
}

static void add_new_comm(struct completion *done, const struct request *request)
{
	bool fortran = request->traits & REQUEST_FORTRAN;
	MPI_Comm comm = fortran ? f_comm(request->new_comm) : *(MPI_Comm *)request->new_comm;
	int64_t number = comm_made_by_request(request->parent_comm, comm);

	completion_pair(done, FIELD_NEWCOMM, (int64_t)object_identity(number));
}

void completion_add(struct completion *done, int i, const MPI_Status *status)
{
	struct request *request;
	uint32_t number;

	if (i < 0 || i >= done->count || done->numbers[i] == NO_REQUEST)
		return;
	number = done->numbers[i];
	request = request_get(number);
	completion_pair(done, FIELD_DONE, number);
	if (status)
		add_received(done, request, status);
	if (request->traits & REQUEST_MAKES_COMM)
		add_new_comm(done, request);
	if (request->traits & REQUEST_PERSISTENT)
		request->traits &= ~(uint32_t)(REQUEST_CLAIMED | REQUEST_CANCELLED | REQUEST_STARTED);
	else
		request_remove(number);
	done->numbers[i] = NO_REQUEST;
}

void completion_add_all(struct completion *done, const MPI_Status *statuses, int rc)
{
	bool one_by_one = rc != MPI_SUCCESS && statuses;

	for (int i = 0; i < done->count; i++)
		if (!one_by_one || statuses[i].MPI_ERROR != MPI_ERR_PENDING)
			completion_add(done, i, statuses ? &statuses[i] : NULL);
}

void completion_add_some(struct completion *done, const MPI_Status *statuses, int count, const int *indices, int base)
{
	for (int i = 0; i < count; i++)
		completion_add(done, indices[i] - base, statuses ? &statuses[i] : NULL);
}

/* MPI_Startall: the same key, but of beginnings. */
void completion_starts(struct completion *done, int count, const void *requests, bool fortran)
{
	const void *place;

	if (!completion_room(done, count))
		return;
	for (int i = 0; i < count; i++) {
		uint64_t handle = handle_at(requests, i, fortran, &place);
		int64_t number = request_start(handle, place);

		if (number != ABSENT)
			completion_pair(done, FIELD_REQUEST, number);
	}
}

void completion_end(struct completion *done)
{
	for (int i = 0; i < done->count; i++)
		if (done->numbers[i] != NO_REQUEST)
			request_unclaim(done->numbers[i]);
}
