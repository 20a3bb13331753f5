/* Active requests. A request gets the lowest number that is free when it begins. So a loop that starts and completes the same operations gets
 * the same numbers in each iteration, which keeps traces small.
 *
 * MPI may give several requests the same handle, as MPICH does for sends that complete at once. Then the address of the handle in the
 * program distinguishes them. If these are equal too, any of the requests is taken. */
#ifndef TARRY_JOB_RECORD_REQUESTS_H
#define TARRY_JOB_RECORD_REQUESTS_H

#include "job/record/process.h"
#include "job/record/stream.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_REQUEST UINT32_MAX

enum request_trait {
	REQUEST_RECEIVES = 1,   /* its completion has source, tag and bytes */
	REQUEST_PERSISTENT = 2, /* survives its completion */
	REQUEST_CANCELLED = 4,  /* MPI_Cancel was called: the status shows its success */
	REQUEST_MAKES_COMM = 8, /* MPI_Comm_idup: the communicator exists after the completion */
	REQUEST_FORTRAN = 16,   /* the new communicator is a Fortran handle */
	REQUEST_CLAIMED = 32,   /* a running call may complete it */
	REQUEST_STARTED = 64,   /* a persistent request between its start and its completion */
	REQUEST_LIVE =
		128, /* its number is in use; other entries keep the data of ended requests, as a guess */
};

/* The communicator that a request creates. */
struct promised_comm {
	void *place;       /* the program's variable for it */
	int64_t parent;    /* object number */
	uint64_t identity; /* of the new communicator */
};

struct request {
	uint64_t handle;
	const void *place;
	struct promised_comm *promised; /* for REQUEST_MAKES_COMM; the entry owns it */
	uint32_t next; /* in its hash chain or in the list of pending entries; NO_REQUEST: none */
	uint16_t traits;
	bool is_pending; /* its handle is new, and it is not yet in a chain */
};

enum { REQUEST_BLOCK = 1024, REQUEST_BLOCKS = 1 << 14, REQUEST_BITS = 64 };

/* The requests of this process. With MPI_THREAD_MULTIPLE the caller of a `_locked` function holds the table's lock. Entries never move.
* They keep their handle and their place in its chain after the request has ended: with some libraries the same handle usually returns with
 * the same number, and only the number must be marked. With other libraries, handles change. New entries enter their chains only when a chain
 * is searched, which is rare, because a call usually completes the same numbers as last time. */
struct request_table {
	uint64_t *free; /* one bit for each number, and an empty last word; NULL: no table yet */
	uint32_t *chains;
	uint32_t limit;           /* number of entries and of chains: REQUEST_BLOCK times a power of two */
	uint32_t first_free_word; /* no earlier word has a free number */
	uint32_t pending;         /* 1 + the newest pending entry; 0: none */
	struct request first[REQUEST_BLOCK]; /* the first block, usually the only one */
	struct request *blocks[REQUEST_BLOCKS];
};

extern struct request_table request_table __attribute__((visibility("hidden")));

/* Moves first_free_word to the first word with a free number; may enlarge the table. False: out of memory. */
bool requests_find_free(void);
/* Removes an entry from its chain, because its handle is about to change. */
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

/* For a call that may complete the request. Of requests with equal handles, each is claimed by only one call. */
static inline uint32_t request_claim_locked(uint64_t handle, const void *place)
{
	uint32_t found = request_find_locked(handle, place, REQUEST_CLAIMED);

	if (LIKELY(found != NO_REQUEST))
		request_get(found)->traits |= REQUEST_CLAIMED;
	return found;
}

/* The same, but tries one number first, because successive elements of an array usually have successive numbers. A search among many equal
 * handles would be slow. */
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

/* Takes the table's lock. */
int64_t request_add_shared(uint64_t handle, const void *place, uint32_t traits);

/* The number of a new request; ABSENT: out of memory. */
static inline __attribute__((always_inline)) int64_t request_add(uint64_t handle, const void *place,
                                                                 uint32_t traits)
{
	return LIKELY(!process_is_multithreaded) ? request_add_locked(handle, place, traits)
	                                         : request_add_shared(handle, place, traits);
}

/* NO_REQUEST: MPI_REQUEST_NULL, or unknown. */
uint32_t request_find(uint64_t handle, const void *place);
/* Starts a persistent request. Returns its number, or ABSENT. */
int64_t request_start(uint64_t handle, const void *place);
/* For MPI_Cancel. Returns the request's number, or ABSENT. */
int64_t request_cancel(uint64_t handle, const void *place);
/* The request ends. A persistent request ends when it is freed. */
void request_remove(uint32_t number);

/* Matched messages (MPI_Mprobe … MPI_Mrecv) share the numbering of requests, with other handles. */
#define MESSAGE_HANDLE(handle) (HANDLE(handle) ^ 1ull << 63)

#endif
