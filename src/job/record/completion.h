/* Calls that complete requests. Before the call the requests are claimed, because afterwards their handles are gone;
 * then MPI runs; then each completed request adds to the key its number and, if it received, what came from
 * whom. A status that the program does not want is replaced by one of ours.
 *
 *	struct completion done;
 *	completion_begin(&done, s, count, requests, sizeof(MPI_Request), false);
 *	rc = PMPI_Waitall(count, requests, completion_statuses(&done, statuses));
 *	completion_all(&done);
 *	… key = completion_key(&done, …) */
#ifndef TARRY_JOB_RECORD_COMPLETION_H
#define TARRY_JOB_RECORD_COMPLETION_H

#include "calls/ids.h"
#include "job/record/comms.h"
#include "job/record/requests.h"

enum {
	/* The most words that a completed request adds: itself, what it received, a new communicator. */
	WORDS_PER_REQUEST = 5,
	FEW_REQUESTS = 8, /* that need no memory beyond the stack */
};

struct completion {
	struct recording_stream *s;
	int count;
	uint32_t *numbers; /* of the requests; NO_REQUEST where there is none */
	int64_t *key;      /* grows: fixed values by the wrapper, then pairs */
	uint32_t words;
	bool wants_status; /* one of them received, or was cancelled */
	uint32_t few_numbers[FEW_REQUESTS];
	int64_t few[KEY_VALUES + 4 + FEW_REQUESTS * WORDS_PER_REQUEST];
	MPI_Status few_statuses[FEW_REQUESTS];
};

/* Memory for more than a few requests. False: there is none. */
bool completion_find_room(struct completion *done, size_t words, size_t numbers);
/* As many statuses as there are requests, of the thread's own; NULL: there is no memory. */
MPI_Status *completion_own_statuses(struct completion *done);

static inline uint64_t request_handle_at(const void *requests, int i, bool fortran, const void **place)
{
	if (fortran) {
		*place = (const MPI_Fint *)requests + i;
		return HANDLE(f_request(*place));
	}
	*place = (const MPI_Request *)requests + i;
	return HANDLE(*(const MPI_Request *)*place);
}

/* A persistent request that was not started is complete before the call: the call does not complete it. */
static inline uint32_t claim_active(uint32_t guess, uint64_t handle, const void *place, bool *wants_status)
{
	uint32_t number = request_claim_guessed(guess, handle, place);
	struct request *request;

	if (UNLIKELY(number == NO_REQUEST))
		return NO_REQUEST;
	request = request_get(number);
	if (UNLIKELY((request->traits & (REQUEST_PERSISTENT | REQUEST_STARTED)) == REQUEST_PERSISTENT)) {
		request->traits &= ~(uint32_t)REQUEST_CLAIMED;
		return NO_REQUEST;
	}
	*wants_status |= (request->traits & (REQUEST_RECEIVES | REQUEST_CANCELLED)) != 0;
	return number;
}

/* Lets go of requests whose completion nobody will see: their numbers would stay taken for ever. */
void completion_forget(const void *requests, int count, bool fortran);

/* `requests` are C handles, or Fortran ones (an array of MPI_Fint). */
static inline __attribute__((always_inline)) void completion_begin(struct completion *done,
                                                                   struct recording_stream *s, int count,
                                                                   const void *requests, bool fortran)
{
	const void *place;
	uint32_t guess = 0;

	done->s = s;
	done->count = count < 0 ? 0 : count;
	done->key = done->few;
	done->numbers = done->few_numbers;
	done->words = KEY_VALUES;
	done->wants_status = false;
	/* Too many to follow: the call is recorded, its completions are not. */
	if (UNLIKELY(count > FEW_REQUESTS) &&
	    !completion_find_room(done, KEY_VALUES + 4 + (size_t)count * WORDS_PER_REQUEST, (size_t)count)) {
		completion_forget(requests, count, fortran);
		done->count = 0;
	}
	process_lock_if_shared();
	for (int i = 0; i < done->count; i++) {
		uint64_t handle = request_handle_at(requests, i, fortran, &place);
		done->numbers[i] = claim_active(guess, handle, place, &done->wants_status);
		guess = done->numbers[i] + 1; /* after none, 0 again */
	}
	process_unlock_if_shared();
}

/* The thread is in a call that completes requests: whatever it waits for is known by then. `many`: how many requests there are, or
 * ABSENT where the call does not say. Returns the call's start. */
uint64_t completion_open(const struct completion *done, const void *site, uint32_t id, int64_t many,
                         uint64_t start);
/* The same for a call whose key has begun. */
uint64_t completion_opens(const struct completion *done, const void *site, uint32_t id, uint64_t start);

/* The statuses to hand to MPI: the program's, or ours where it ignores them but we need them. */
static inline MPI_Status *completion_status(struct completion *done, MPI_Status *given, bool ignored)
{
	return ignored && done->wants_status ? &done->few_statuses[0] : given;
}

static inline MPI_Status *completion_statuses(struct completion *done, MPI_Status *given, bool ignored)
{
	MPI_Status *own;

	if (!ignored || !done->wants_status)
		return given;
	own = done->count <= FEW_REQUESTS ? done->few_statuses : completion_own_statuses(done);
	return own ? own : given;
}

/* Starts the key with what stands before the completed requests. */
static inline void completion_value(struct completion *done, int64_t value)
{
	done->key[done->words++] = value;
}

/* Other pairs than those of completions: first room for all of them (false: there is none), then each. */
bool completion_room(struct completion *done, int pairs);
static inline void completion_pair(struct completion *done, enum field_key field, int64_t value)
{
	done->key[done->words++] = field;
	done->key[done->words++] = value;
}

/* The place in the array that a Fortran index means: it counts from 1, but MPICH 4.0's mpi_f08 gives it from 0. Which
 * of the two it is shows in the request that is gone. */
int completion_index(const struct completion *done, const void *requests, int index);

/* Request i of the array completed with this status (NULL: not known). */
void completion_add(struct completion *done, int i, const MPI_Status *status);
/* All of them, unless their status says that they did not. */
void completion_add_all(struct completion *done, const MPI_Status *statuses, int rc);
/* Those that Waitsome or Testsome names; indices count from `base` (Fortran: 1). */
void completion_add_some(struct completion *done, const MPI_Status *statuses, int count, const int *indices,
                         int base);

/* For MPI_Startall, with completion_begin of no requests before it: those that it begins. */
void completion_starts(struct completion *done, int count, const void *requests, bool fortran);

/* MPI_Test found its request not complete: which one it was. */
static inline void completion_asked(struct completion *done)
{
	if (done->count && done->numbers[0] != NO_REQUEST)
		completion_pair(done, FIELD_REQUEST, done->numbers[0]);
}

/* Gives up the claims on requests that did not complete. */
void completion_give_up(struct completion *done);

/* MPI_Waitall of a few requests or MPI_Wait, the way most programs wait: the same requests as last time, with the same outcome. Its raw
 * key has the numbers of the requests and what they brought; when all of that is as expected, the requests
 * end and only the times are written. Anything else goes the general way. Handles are no part of it: many libraries give the same request
 * another one each time.
 *
 *	struct waitall wait;
 *	waitall_begin(&wait, s, site, CALL_Waitall, count, requests);
 *	rc = PMPI_Waitall(count, requests, waitall_statuses(&wait, statuses, ignored));
 *	if (!waitall_repeat(&wait, rc, statuses, start, end)) … record wait.done …, waitall_remember(&wait, …) */

enum {
	WAITALL_FEW = FEW_REQUESTS,
	WAITALL_FIRST = 3, /* words before those of the requests: site, function, count */
	WAITALL_WORDS = 3, /* of each: number and traits, source and tag, bytes */
	PLAIN_TRAITS = REQUEST_LIVE | REQUEST_RECEIVES,
};

_Static_assert(WAITALL_FIRST + WAITALL_WORDS * WAITALL_FEW <= RAW_WORDS_MAX, "a raw key has room for all");

struct waitall {
	struct completion done;
	bool expected;
	int64_t raw[WAITALL_FIRST + WAITALL_WORDS * WAITALL_FEW];
};

/* The word that tells which request it is: a request with other traits than these takes the other way. */
static inline int64_t waitall_which(uint32_t number, uint32_t traits)
{
	return (int64_t)number | (int64_t)traits << 32;
}

static inline bool waitall_expects(const int64_t *expected, uint64_t handle)
{
	const struct request *request = request_get((uint32_t)expected[0]);

	return request->handle == handle && request->traits == (uint32_t)(expected[0] >> 32);
}

/* The requests are those that the expected call completed, and all are under way. */
static inline bool waitall_try(struct waitall *wait, struct recording_stream *s, const void *site,
                               uint32_t id, int count, const MPI_Request *requests)
{
	const int64_t *expected = s->expected;

	if (expected[KEY_SITE] != (int64_t)(uintptr_t)site || expected[KEY_WHAT] != RAW_WHAT(s, id) ||
	    expected[2] != count || process_is_multithreaded)
		return false;
	wait->done.wants_status = false;
	for (int i = 0; i < count; i++) {
		const int64_t *words = expected + WAITALL_FIRST + (ptrdiff_t)WAITALL_WORDS * i;
		if (!waitall_expects(words, HANDLE(requests[i])))
			return false;
		wait->done.wants_status |= words[0] >> 32 & REQUEST_RECEIVES;
	}
	wait->done.s = s;
	wait->done.count = count;
	return true;
}

/* For waitall_remember: what the requests are before they end. */
static inline void waitall_note(struct waitall *wait)
{
	for (int i = 0; i < wait->done.count && i < WAITALL_FEW; i++) {
		int64_t *words = wait->raw + WAITALL_FIRST + (ptrdiff_t)WAITALL_WORDS * i;
		uint32_t number = wait->done.numbers[i];
		words[0] = number == NO_REQUEST ? -1
		                                : waitall_which(number, request_get(number)->traits &
		                                                                ~(uint32_t)REQUEST_CLAIMED);
	}
}

static inline __attribute__((always_inline)) void waitall_begin(struct waitall *wait,
                                                                struct recording_stream *s, const void *site,
                                                                uint32_t id, int count,
                                                                const MPI_Request *requests)
{
	wait->expected = waitall_try(wait, s, site, id, count, requests);
	if (LIKELY(wait->expected))
		return;
	completion_begin(&wait->done, s, count, requests, false);
	waitall_note(wait);
}

/* `many`: as for completion_open(). */
static inline __attribute__((always_inline)) uint64_t waitall_open(struct waitall *wait, const void *site,
                                                                   uint32_t id, int64_t many, uint64_t start)
{
	if (UNLIKELY(!wait->expected))
		return completion_open(&wait->done, site, id, many, start);
	stream_open_predicted(wait->done.s, start);
	return start;
}

/* Not as expected after all: the requests are known, and go the other way from here. */
void waitall_resume(struct waitall *wait);

/* These requests end. Numbers that share a word of the table are freed by one store: many would wait for each other. */
static inline void waitall_end(const int64_t *words, int count)
{
	for (int i = 0; i < count;) {
		const uint32_t word = (uint32_t)words[WAITALL_WORDS * i] / REQUEST_BITS;
		uint64_t bits = 0;

		do {
			uint32_t number = (uint32_t)words[WAITALL_WORDS * i];
			request_get(number)->traits = 0;
			bits |= 1ull << number % REQUEST_BITS;
			i++;
		} while (i < count && (uint32_t)words[WAITALL_WORDS * i] / REQUEST_BITS == word);
		requests_free(word, bits);
	}
}

static inline __attribute__((always_inline)) bool
waitall_repeat(struct waitall *wait, int rc, const MPI_Status *statuses, uint64_t start, uint64_t end)
{
	struct recording_stream *s = wait->done.s;
	const int64_t *words = s->expected + WAITALL_FIRST;
	int64_t differs = rc != MPI_SUCCESS;

	if (UNLIKELY(!wait->expected))
		return false;
	for (int i = 0; i < wait->done.count; i++)
		if (words[WAITALL_WORDS * i] >> 32 & REQUEST_RECEIVES) {
			const int64_t *w = words + (ptrdiff_t)WAITALL_WORDS * i;
			differs |= w[1] ^ KEY_SOURCE(statuses[i].MPI_SOURCE, statuses[i].MPI_TAG);
			differs |= w[2] ^ status_bytes(&statuses[i]);
		}
	if (LIKELY(!differs && stream_can_repeat(s, start, end))) {
		waitall_end(words, wait->done.count);
		stream_add_repeated(s, start, end);
		stream_leave(s);
		return true;
	}
	waitall_resume(wait);
	return false;
}

/* Lets this call be expected from now on, if it is as simple as this way can tell. */
void waitall_remember(struct waitall *wait, const void *site, uint32_t id, const MPI_Status *statuses);

#endif
