/* Requests under way. Each has a number, the lowest that was free when it began: a loop that starts and
 * completes the same operations gets the same numbers every time, which is what keeps traces small.
 *
 * MPI may give several requests the same handle (MPICH does for sends that were complete at once); then the place
 * where the program keeps the handle tells them apart, and otherwise any of them is taken. */
#ifndef TARRY_JOB_RECORD_REQUESTS_H
#define TARRY_JOB_RECORD_REQUESTS_H

#include "job/record/process.h"
#include "job/record/stream.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_REQUEST UINT32_MAX

enum request_trait {
	REQUEST_RECEIVES = 1,   /* its completion tells what came from whom */
	REQUEST_PERSISTENT = 2, /* survives its completion */
	REQUEST_CANCELLED = 4,  /* MPI_Cancel was called: the status tells whether it did */
	REQUEST_MAKES_COMM = 8, /* MPI_Comm_idup: the communicator exists from the completion on */
	REQUEST_FORTRAN = 16,   /* the place of the new communicator holds a Fortran handle */
	REQUEST_CLAIMED = 32,   /* a call that may complete it is under way */
	REQUEST_STARTED = 64,   /* a persistent one between its start and its completion */
	REQUEST_LIVE = 128, /* its number is taken: what an entry keeps of an ended request is only a guess */
};

/* The communicator that a request makes. */
struct promised_comm {
	void *place;       /* where the program wants it */
	int64_t parent;    /* object number */
	uint64_t identity; /* of the communicator to come */
};

struct request {
	uint64_t handle;
	const void *place;
	struct promised_comm *promised; /* with REQUEST_MAKES_COMM; stays with the entry */
	uint32_t next; /* in the chain of its hash, NO_REQUEST ends it; or among the pending ones */
	uint16_t traits;
	bool is_pending; /* its handle is new, and it is in no chain yet */
};

enum { REQUEST_BLOCK = 1024, REQUEST_BLOCKS = 1 << 14, REQUEST_BITS = 64 };

/* The table of this process. With MPI_THREAD_MULTIPLE the functions named `_locked` want its lock held. Entries never
 * move, and keep their handle and their place in its chain when the request has ended: mostly the same
 * handle comes back for the same number, and then there is nothing to do but to mark the number as taken. Where other handles come back, as from
 * a library that hands out last what was freed first, entries go into their chains only when one is searched: mostly none is, because
 * a call completes the numbers that it completed last time. */
struct request_table {
	uint64_t *free; /* one bit for each number, and a word of none behind; NULL: there are none yet */
	uint32_t *chains;
	uint32_t limit; /* of numbers, REQUEST_BLOCK times a power of two; there are as many chains */
	uint32_t first_free_word;            /* none before it has a free number */
	uint32_t pending;                    /* the last entry that became so, and 1; 0: none is */
	struct request first[REQUEST_BLOCK]; /* the first block, which is nearly always the only one */
	struct request *blocks[REQUEST_BLOCKS];
};

extern struct request_table request_table __attribute__((visibility("hidden")));

/* Lets first_free_word be the first with a free number, if need be of a larger table. False: there is none. */
bool requests_find_free(void);
/* Takes an entry out of its chain, as its handle is about to change. */
void request_unchain(uint32_t number);
/* Puts the pending entries into their chains. */
void requests_chain(void);

static inline struct request *request_get(uint32_t number)
{
	return LIKELY(number < REQUEST_BLOCK)
	               ? &request_table.first[number]
	               : &request_table.blocks[number / REQUEST_BLOCK][number % REQUEST_BLOCK];
}

static inline uint32_t *request_chain(uint64_t handle)
{
	return &request_table.chains[(handle >> 3 ^ handle >> 12 ^ handle) & (request_table.limit - 1)];
}

static inline uint32_t request_find_locked(uint64_t handle, const void *place, uint32_t unwanted_traits)
{
	uint32_t found = NO_REQUEST;

	if (UNLIKELY(!request_table.limit))
		return NO_REQUEST;
	if (request_table.pending)
		requests_chain();
	for (uint32_t at = *request_chain(handle); at != NO_REQUEST;) {
		const struct request *request = request_get(at);
		if (request->handle == handle &&
		    (request->traits & (REQUEST_LIVE | unwanted_traits)) == REQUEST_LIVE) {
			found = at;
			if (request->place == place)
				break;
		}
		at = request->next;
	}
	return found;
}

/* For a call that may complete it: of equal handles each is claimed by one call only. */
static inline uint32_t request_claim_locked(uint64_t handle, const void *place)
{
	uint32_t found = request_find_locked(handle, place, REQUEST_CLAIMED);

	if (LIKELY(found != NO_REQUEST))
		request_get(found)->traits |= REQUEST_CLAIMED;
	return found;
}

/* The same, by looking at one number first: requests that were begun one after the other mostly lie so in the array, and
 * many of one handle would make each search as long as they are many. */
static inline uint32_t request_claim_guessed(uint32_t guess, uint64_t handle, const void *place)
{
	struct request *request;

	if (LIKELY(guess < request_table.limit)) {
		request = request_get(guess);
		if (request->handle == handle && request->place == place &&
		    (request->traits & (REQUEST_LIVE | REQUEST_CLAIMED)) == REQUEST_LIVE) {
			request->traits |= REQUEST_CLAIMED;
			return guess;
		}
	}
	return request_claim_locked(handle, place);
}

static inline __attribute__((always_inline)) int64_t request_add_locked(uint64_t handle, const void *place,
                                                                        uint32_t traits)
{
	uint32_t word = request_table.first_free_word, number;
	struct request *request;

	if (UNLIKELY(!request_table.free || !request_table.free[word])) {
		if (!requests_find_free())
			return ABSENT;
		word = request_table.first_free_word;
	}
	number = word * REQUEST_BITS + (uint32_t)__builtin_ctzll(request_table.free[word]);
	request_table.free[word] &= request_table.free[word] - 1;
	request = request_get(number);
	if (request->handle != handle) {
		if (!request->is_pending)
			request_unchain(number);
		request->handle = handle;
	}
	request->place = place;
	request->traits = (uint16_t)(traits | REQUEST_LIVE);
	return number;
}

static inline void requests_free(uint32_t word, uint64_t bits)
{
	request_table.free[word] |= bits;
	if (word < request_table.first_free_word)
		request_table.first_free_word = word;
}

static inline void request_remove_locked(uint32_t number)
{
	request_get(number)->traits = 0;
	requests_free(number / REQUEST_BITS, 1ull << number % REQUEST_BITS);
}

/* With the table's lock held meanwhile. */
int64_t request_add_shared(uint64_t handle, const void *place, uint32_t traits);

/* The number of a new request, ABSENT when it cannot be followed. */
static inline __attribute__((always_inline)) int64_t request_add(uint64_t handle, const void *place,
                                                                 uint32_t traits)
{
	return LIKELY(!process_is_multithreaded) ? request_add_locked(handle, place, traits)
	                                         : request_add_shared(handle, place, traits);
}

/* NO_REQUEST: MPI_REQUEST_NULL, or unknown. */
uint32_t request_find(uint64_t handle, const void *place);
/* A persistent request begins: its number, or ABSENT. */
int64_t request_start(uint64_t handle, const void *place);
/* MPI_Cancel was called for it: its number, or ABSENT. */
int64_t request_cancel(uint64_t handle, const void *place);
/* The request ends (a persistent one: when it is freed). */
void request_remove(uint32_t number);

/* Matched messages (MPI_Mprobe … MPI_Mrecv) are numbered along with requests, from other handles. */
#define MESSAGE_HANDLE(handle) (HANDLE(handle) ^ 1ull << 63)

#endif
