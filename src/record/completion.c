#include "record/completion.h"

#include <string.h>

/* One piece of the thread's memory holds the key, then the numbers. What the key has already moves along. */
bool completion_find_room(struct completion *done, size_t words, size_t numbers)
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

	return words <= sizeof done->few / sizeof *done->few || completion_find_room(done, words, 0);
}

MPI_Status *completion_own_statuses(struct completion *done)
{
	size_t bytes = (size_t)done->count * sizeof(MPI_Status);
	struct stream *s = done->s;

	if (bytes <= s->statuses_bytes)
		return s->statuses;
	if (s->statuses)
		process_give_back(s->statuses, s->statuses_bytes);
	s->statuses_bytes = (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
	s->statuses = process_claim(s->statuses_bytes);
	if (!s->statuses)
		s->statuses_bytes = 0;
	return s->statuses;
}

static int64_t rank_of(int rank)
{
	return rank >= 0 ? rank : rank == MPI_PROC_NULL ? RANK_NULL : RANK_ANY;
}

static inline void add_done(struct completion *done, uint32_t number, uint32_t traits, const MPI_Status *status)
{
	if (UNLIKELY(traits & REQUEST_CANCELLED && status && status_cancelled(status))) {
		done->key[done->words++] = KEY_DONE(number, false);
		completion_pair(done, FIELD_CANCELLED, 1);
	} else if (traits & REQUEST_RECEIVES && status) {
		done->key[done->words] = KEY_DONE(number, true);
		done->key[done->words + 1] = KEY_SOURCE(rank_of(status->MPI_SOURCE), status->MPI_TAG);
		done->key[done->words + 2] = status_bytes(status);
		done->words += 3;
	} else {
		done->key[done->words++] = KEY_DONE(number, false);
	}
}

static void add_new_comm(struct completion *done, const struct request *request)
{
	bool fortran = request->traits & REQUEST_FORTRAN;
	MPI_Comm comm = fortran ? f_comm(request->new_comm) : *(MPI_Comm *)request->new_comm;
	int64_t number = comm_made_by_request(request->parent_comm, comm);

	completion_pair(done, FIELD_NEWCOMM, (int64_t)object_identity(number));
}

static inline void add_one(struct completion *done, int i, const MPI_Status *status)
{
	uint32_t number = done->numbers[i];
	struct request *request;

	if (number == NO_REQUEST)
		return;
	request = request_get(number);
	add_done(done, number, request->traits, status);
	if (UNLIKELY(request->traits & REQUEST_MAKES_COMM))
		add_new_comm(done, request);
	if (request->traits & REQUEST_PERSISTENT)
		request->traits &= ~(uint32_t)(REQUEST_CLAIMED | REQUEST_CANCELLED | REQUEST_STARTED);
	else
		request_remove_locked(number);
	done->numbers[i] = NO_REQUEST;
}

void completion_add(struct completion *done, int i, const MPI_Status *status)
{
	if (i < 0 || i >= done->count)
		return;
	process_lock_if_shared();
	add_one(done, i, status);
	process_unlock_if_shared();
}

void completion_add_all(struct completion *done, const MPI_Status *statuses, int rc)
{
	bool one_by_one = rc != MPI_SUCCESS && statuses;

	process_lock_if_shared();
	for (int i = 0; i < done->count; i++)
		if (!one_by_one || statuses[i].MPI_ERROR != MPI_ERR_PENDING)
			add_one(done, i, statuses ? &statuses[i] : NULL);
	process_unlock_if_shared();
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
		uint64_t handle = request_handle_at(requests, i, fortran, &place);
		int64_t number = request_start(handle, place);

		if (number != ABSENT)
			completion_pair(done, FIELD_REQUEST, number);
	}
}

void completion_give_up(struct completion *done)
{
	process_lock_if_shared();
	for (int i = 0; i < done->count; i++)
		if (done->numbers[i] != NO_REQUEST)
			request_get(done->numbers[i])->traits &= ~(uint32_t)REQUEST_CLAIMED;
	process_unlock_if_shared();
}
