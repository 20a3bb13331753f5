/* How a process asks another machine for its time: one datagram there, one back, many times; only the fastest
 * round trips count. Recorders ask, `tarry run` answers. SETTING_CLOCK says where to ask:
 *
 *	IDENTITY RATE KEY PORT ADDRESS...
 *
 * the identity and ticks per second of the clock, a key that every question must contain, and the address.
 *
 * The client puts a random number into each question and accepts only an answer with the same number. An
 * answer is not longer than its question and contains only times. */
#ifndef TARRY_BASE_CLOCK_SERVICE_H
#define TARRY_BASE_CLOCK_SERVICE_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

enum { CLOCK_KEY_BYTES = 16, CLOCK_MESSAGE_BYTES = 56, CLOCK_ADDRESSES_MAX = 16 };

/* Both sides spin this long before they sleep: after a sleep the caches are cold, and
 * sending takes longer. */
enum { CLOCK_AWAKE_US = 30 };

#define CLOCK_QUESTION "tarry?t1"
#define CLOCK_ANSWER "tarry!t1"

/* The answer to a question: whether to ask again. */
enum clock_verdict {
	CLOCK_GO_ON = 0, /* ask again until the offset is exact */
	CLOCK_ENOUGH = 1 /* another process with the same clock has just asked */
};

struct clock_question {
	uint64_t number; /* random */
	uint64_t clock;  /* hash of the identity of the client's clock */
	uint64_t first;  /* 1 in the first of several questions */
	uint8_t key[CLOCK_KEY_BYTES];
};

struct clock_answer {
	uint64_t number; /* of the question */
	uint64_t verdict;
	uint64_t arrived; /* ticks */
	uint64_t left;
};

/* A message, and how long ago the system received it: on a busy machine a process reads it much later. */
struct clock_datagram {
	uint8_t bytes[CLOCK_MESSAGE_BYTES + 1];
	size_t size;
	struct sockaddr_storage from;
	socklen_t from_size;
	uint64_t age_ns;
};

/* Makes the system record the time of arrival. */
void clock_service_prepare(int fd);
/* Does not wait. False: there is no message (errno). */
bool clock_service_receive(int fd, struct clock_datagram *datagram);

static inline void clock_question_put(uint8_t *at, const struct clock_question *question)
{
	at = put_bytes(at, CLOCK_QUESTION, 8);
	at = put_u64(at, question->number);
	at = put_u64(at, question->clock);
	at = put_u64(at, question->first);
	at = put_bytes(at, question->key, CLOCK_KEY_BYTES);
	put_u64(at, 0);
}

static inline bool clock_question_take(const uint8_t *at, size_t size, struct clock_question *question)
{
	struct cursor cursor = {at, at + size, false};

	if (size != CLOCK_MESSAGE_BYTES || memcmp(take_bytes(&cursor, 8), CLOCK_QUESTION, 8) != 0)
		return false;
	question->number = take_u64(&cursor);
	question->clock = take_u64(&cursor);
	question->first = take_u64(&cursor);
	memcpy(question->key, take_bytes(&cursor, CLOCK_KEY_BYTES), CLOCK_KEY_BYTES);
	return true;
}

static inline void clock_answer_put(uint8_t *at, const struct clock_answer *answer)
{
	memset(at, 0, CLOCK_MESSAGE_BYTES);
	at = put_bytes(at, CLOCK_ANSWER, 8);
	at = put_u64(at, answer->number);
	at = put_u64(at, answer->verdict);
	at = put_u64(at, answer->arrived);
	put_u64(at, answer->left);
}

static inline bool clock_answer_take(const uint8_t *at, size_t size, struct clock_answer *answer)
{
	struct cursor cursor = {at, at + size, false};

	if (size != CLOCK_MESSAGE_BYTES || memcmp(take_bytes(&cursor, 8), CLOCK_ANSWER, 8) != 0)
		return false;
	answer->number = take_u64(&cursor);
	answer->verdict = take_u64(&cursor);
	answer->arrived = take_u64(&cursor);
	answer->left = take_u64(&cursor);
	return true;
}

#endif
