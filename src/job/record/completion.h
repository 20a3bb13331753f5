/* Calls that complete requests. The wrapper claims the requests before the call, because the call resets their handles. After the call, the
 * key gets the number of each completed request, and for a receive also its source, tag and bytes. If the program ignores a status that
 * the recorder needs, MPI gets one of the recorder's own.
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
	/* The maximum for a completed request: its number, received message and new communicator. */
	WORDS_PER_REQUEST = 5,
	FEW_REQUESTS = 8, /* fit on the stack */
};

struct completion {
	struct recording_stream *s;
	int count;
	uint32_t *numbers; /* of the requests; NO_REQUEST for null requests */
	int64_t *key;      /* fixed values by the wrapper, then pairs */
	uint32_t words;
	bool wants_status; /* a request receives, or was cancelled */
	uint32_t few_numbers[FEW_REQUESTS];
	int64_t few[KEY_VALUES + 4 + FEW_REQUESTS * WORDS_PER_REQUEST];
	MPI_Status few_statuses[FEW_REQUESTS];
};

/* Allocates memory for more than FEW_REQUESTS. False: out of memory. */
bool completion_find_room(struct completion *done, size_t words, size_t numbers);
/* One status for each request, in the thread's memory. NULL: out of memory. */
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

/* NO_REQUEST for a persistent request that was not started, because the call does not complete it. */
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

/* Frees the numbers of requests whose completion will not be seen. */
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
	/* Without memory for them, the call is recorded without its completions. */
	if (UNLIKELY(count > FEW_REQUESTS) &&
	    !completion_find_room(done, KEY_VALUES + 4 + (size_t)count * WORDS_PER_REQUEST, (size_t)count)) {
		completion_forget(requests, count, fortran);
		done->count = 0;
	}
	process_lock_if_shared();
	for (int i = 0; i < done->count; i++) {
		uint64_t handle = request_handle_at(requests, i, fortran, &place);
		done->numbers[i] = claim_active(guess, handle, place, &done->wants_status);
		guess = done->numbers[i] + 1; /* 0 after NO_REQUEST */
	}
	process_unlock_if_shared();
}

/* Marks the thread as being in a call that completes requests. `many` is the number of requests, or ABSENT if the call does not have it.
 * Returns the call's start. */
uint64_t completion_open(const struct completion *done, const void *site, uint32_t id, int64_t many,
                         uint64_t start);
/* The same for a call whose key has values already. */
uint64_t completion_opens(const struct completion *done, const void *site, uint32_t id, uint64_t start);

/* The statuses for MPI: the program's, or the recorder's if the program ignores them but the recorder needs them. */
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

/* Adds a value to the key, before the completed requests. */
static inline void completion_value(struct completion *done, int64_t value)
{
	done->key[done->words++] = value;
}

/* Makes room for pairs that are not completions. False: out of memory. */
bool completion_room(struct completion *done, int pairs);
static inline void completion_pair(struct completion *done, enum field_key field, int64_t value)
{
	done->key[done->words++] = field;
	done->key[done->words++] = value;
}

/* Converts a Fortran index. It counts from 1, except in the mpi_f08 of MPICH 4.0, where it counts from 0. Which of the two requests the call
 * has reset shows which is meant. */
int completion_index(const struct completion *done, const void *requests, int index);

/* Request i of the array completed with this status (NULL: unknown). */
void completion_add(struct completion *done, int i, const MPI_Status *status);
/* Adds all requests, except those whose status shows that they did not complete. */
void completion_add_all(struct completion *done, const MPI_Status *statuses, int rc);
/* Adds the requests that Waitsome or Testsome returned. Indices count from `base` (Fortran: 1). */
void completion_add_some(struct completion *done, const MPI_Status *statuses, int count, const int *indices,
                         int base);

/* Adds the requests that MPI_Startall starts. Call completion_begin() without requests before it. */
void completion_starts(struct completion *done, int count, const void *requests, bool fortran);

/* Adds the request that MPI_Test found incomplete. */
static inline void completion_asked(struct completion *done)
{
	if (done->count && done->numbers[0] != NO_REQUEST)
		completion_pair(done, FIELD_REQUEST, done->numbers[0]);
}

/* Gives up the claims on requests that did not complete. */
void completion_give_up(struct completion *done);

/* The fast path of MPI_Wait, and of MPI_Waitall with few requests: usually they complete the same requests as last time, with the same
 * results. The raw key has the numbers of the requests and their results. If these are as expected, the requests end and only the times are
 * written. Otherwise the call takes the general path. The raw key has no handles, because many libraries use a new handle each time.
 *
 *	struct waitall wait;
 *	waitall_begin(&wait, s, site, CALL_Waitall, count, requests);
 *	rc = PMPI_Waitall(count, requests, waitall_statuses(&wait, statuses, ignored));
 *	if (!waitall_repeat(&wait, rc, statuses, start, end)) … record wait.done …, waitall_remember(&wait, …) */

enum {
	WAITALL_FEW = FEW_REQUESTS,
	WAITALL_FIRST = 3, /* words before the requests: site, function, count */
	WAITALL_WORDS = 3, /* words of a request: number and traits, source and tag, bytes */
	PLAIN_TRAITS = REQUEST_LIVE | REQUEST_RECEIVES,
};

_Static_assert(WAITALL_FIRST + WAITALL_WORDS * WAITALL_FEW <= RAW_WORDS_MAX, "a raw key has enough room");

struct waitall {
	struct completion done;
	bool expected;
	int64_t raw[WAITALL_FIRST + WAITALL_WORDS * WAITALL_FEW];
};

/* The word that identifies a request. Requests with other traits take the general path. */
static inline int64_t waitall_which(uint32_t number, uint32_t traits)
{
	return (int64_t)number | (int64_t)traits << 32;
}

static inline bool waitall_expects(const int64_t *expected, uint64_t handle)
{
	const struct request *request = request_get((uint32_t)expected[0]);

	return request->handle == handle && request->traits == (uint32_t)(expected[0] >> 32);
}

/* Whether the expected call completed the same requests, and all are active. */
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

/* Notes the requests for waitall_remember() before they end. */
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

/* `many`: see completion_open(). */
static inline __attribute__((always_inline)) uint64_t waitall_open(struct waitall *wait, const void *site,
                                                                   uint32_t id, int64_t many, uint64_t start)
{
	if (UNLIKELY(!wait->expected))
		return completion_open(&wait->done, site, id, many, start);
	stream_open_predicted(wait->done.s, start);
	return start;
}

/* The result is not as expected: continues with the general path. */
void waitall_resume(struct waitall *wait);

/* Ends these requests. Numbers in the same word of the table are freed by one store, because several stores to a word depend on each other. */
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

/* Makes this call expected from now on, if the fast path supports it. */
void waitall_remember(struct waitall *wait, const void *site, uint32_t id, const MPI_Status *statuses);

#endif
