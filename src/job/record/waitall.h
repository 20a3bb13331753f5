/* MPI_Waitall of a few requests, the way most programs wait: the same requests as last time, with the same outcome. Its raw
 * key names the handles, the numbers they had and what they brought; when all of that is as expected, the requests
 * end and only the times are written. Anything else goes the way of completion.h.
 *
 *	struct waitall wait;
 *	waitall_begin(&wait, s, site, count, requests);
 *	rc = PMPI_Waitall(count, requests, waitall_statuses(&wait, statuses, ignored));
 *	if (!waitall_repeat(&wait, rc, statuses, start, end)) … record wait.done …, waitall_remember(&wait, …) */
#ifndef TARRY_JOB_RECORD_WAITALL_H
#define TARRY_JOB_RECORD_WAITALL_H

#include "calls/ids.h"
#include "job/record/completion.h"

enum {
	WAITALL_FEW = FEW_REQUESTS,
	WAITALL_FIRST = 3, /* words before those of the requests: site, function, count */
	WAITALL_WORDS = 4, /* of each: handle, number and traits, source and tag, bytes */
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
	const struct request *request = request_get((uint32_t)expected[1]);

	return expected[0] == (int64_t)handle && request->handle == handle &&
	       request->traits == (uint32_t)(expected[1] >> 32);
}

/* The requests are those that the expected call completed, and all are under way. */
static inline bool waitall_try(struct waitall *wait, struct stream *s, const void *site, int count,
                               const MPI_Request *requests)
{
	const int64_t *expected = s->expected;

	if (expected[KEY_SITE] != (int64_t)(uintptr_t)site ||
	    expected[KEY_WHAT] != RAW_WHAT(s, CALL_Waitall) || expected[2] != count || process.multithreaded)
		return false;
	wait->done.wants_status = false;
	for (int i = 0; i < count; i++) {
		const int64_t *words = expected + WAITALL_FIRST + (ptrdiff_t)WAITALL_WORDS * i;
		if (!waitall_expects(words, HANDLE(requests[i])))
			return false;
		wait->done.wants_status |= words[1] >> 32 & REQUEST_RECEIVES;
	}
	wait->done.s = s;
	wait->done.count = count;
	return true;
}

/* For waitall_remember: what the requests are before they end. */
static inline void waitall_note(struct waitall *wait, const MPI_Request *requests)
{
	for (int i = 0; i < wait->done.count && i < WAITALL_FEW; i++) {
		int64_t *words = wait->raw + WAITALL_FIRST + (ptrdiff_t)WAITALL_WORDS * i;
		uint32_t number = wait->done.numbers[i];
		words[0] = (int64_t)HANDLE(requests[i]);
		words[1] = number == NO_REQUEST ? -1
		                                : waitall_which(number, request_get(number)->traits &
		                                                                ~(uint32_t)REQUEST_CLAIMED);
	}
}

static inline __attribute__((always_inline)) void waitall_begin(struct waitall *wait, struct stream *s,
                                                                const void *site, int count,
                                                                const MPI_Request *requests)
{
	wait->expected = waitall_try(wait, s, site, count, requests);
	if (LIKELY(wait->expected))
		return;
	completion_begin(&wait->done, s, count, requests, false);
	waitall_note(wait, requests);
}

/* Not as expected after all: the requests are known, and go the other way from here. */
void waitall_resume(struct waitall *wait);

static inline __attribute__((always_inline)) bool
waitall_repeat(struct waitall *wait, int rc, const MPI_Status *statuses, uint64_t start, uint64_t end)
{
	struct stream *s = wait->done.s;
	const int64_t *words = s->expected + WAITALL_FIRST;
	int64_t differs = rc != MPI_SUCCESS;

	if (UNLIKELY(!wait->expected))
		return false;
	for (int i = 0; i < wait->done.count; i++)
		if (words[WAITALL_WORDS * i + 1] >> 32 & REQUEST_RECEIVES) {
			const int64_t *w = words + (ptrdiff_t)WAITALL_WORDS * i;
			differs |= w[2] ^ KEY_SOURCE(statuses[i].MPI_SOURCE, statuses[i].MPI_TAG);
			differs |= w[3] ^ status_bytes(&statuses[i]);
		}
	if (LIKELY(!differs && stream_can_repeat(s, start, end))) {
		for (int i = 0; i < wait->done.count; i++)
			request_remove_locked((uint32_t)words[WAITALL_WORDS * i + 1]);
		stream_add_repeated(s, start, end);
		stream_leave(s);
		return true;
	}
	waitall_resume(wait);
	return false;
}

/* Lets this call be expected from now on, if it is as simple as this way can tell. */
void waitall_remember(struct waitall *wait, const void *site, const MPI_Status *statuses);

#endif
