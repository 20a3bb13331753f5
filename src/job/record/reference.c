#include "job/record/reference.h"

#include "base/hash.h"
#include "base/settings.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	ROUNDS_MAX = 1024,
	ROUNDS_WITHOUT_GAIN = 128, /* a burst ends after this many rounds without a better result */
	BURST_MS = 100,
	ANSWER_MS = 20,
	AWAKE_NS = CLOCK_AWAKE_US * 1000,
	CONTACT_MS = 400,
	NS_PER_MS = 1000 * 1000,
	NS_PER_SECOND = 1000 * 1000 * 1000,
};

static bool take_key(const char *digits, uint8_t *key)
{
	for (int i = 0; i < CLOCK_KEY_BYTES; i++)
		if (sscanf(digits + 2 * i, "%2hhx", &key[i]) != 1)
			return false;
	return true;
}

static bool parse(char *setting, struct reference *reference)
{
	char *rest = NULL, *word = strtok_r(setting, " ", &rest), *rate = strtok_r(NULL, " ", &rest),
	     *key = strtok_r(NULL, " ", &rest), *port = strtok_r(NULL, " ", &rest);

	if (!port || strlen(key) != 2 * CLOCK_KEY_BYTES || !take_key(key, reference->key))
		return false;
	snprintf(reference->identity, sizeof reference->identity, "%s", word);
	snprintf(reference->port, sizeof reference->port, "%s", port);
	reference->rate = strtoull(rate, NULL, 10);
	while (reference->address_count < CLOCK_ADDRESSES_MAX && (word = strtok_r(NULL, " ", &rest)))
		snprintf(reference->addresses[reference->address_count++], sizeof *reference->addresses, "%s",
		         word);
	return reference->rate;
}

const struct reference *reference_get(void)
{
	static struct reference reference;
	static enum { UNREAD, NONE, KNOWN } state;
	const char *setting = setting_get(SETTING_CLOCK);
	char *copy;

	if (state == UNREAD) {
		copy = setting ? strdup(setting) : NULL;
		state = copy && parse(copy, &reference) ? KNOWN : NONE;
		free(copy);
	}
	return state == KNOWN ? &reference : NULL;
}

/* The socket and the results so far. The fastest round is the most accurate, because its two readings of our
 * clock are closest to the reading of the other clock. Rounds are not combined, because clocks drift. */
struct clock_exchange {
	const struct reference *reference;
	int fd;
	struct sockaddr_storage to;
	socklen_t to_size;
	uint64_t clock_hash;
	struct clock_pair best;
	int rounds;
	int best_round;
	bool enough;
};

static uint64_t ns_of(uint64_t ticks, uint64_t rate)
{
	return (uint64_t)((double)ticks * NS_PER_SECOND / (double)rate);
}

/* Assumes that both directions take equally long. The error is at most half of their sum. */
static struct clock_pair pair_of(const struct clock_exchange *exchange, uint64_t sent, uint64_t arrival,
                                 const struct clock_answer *answer)
{
	uint64_t here = ns_of(arrival - sent, timer.rate);
	uint64_t there = ns_of(answer->left - answer->arrived, exchange->reference->rate);

	return (struct clock_pair){
		.tick = sent + (arrival - sent) / 2,
		.other = answer->arrived + (answer->left - answer->arrived) / 2,
		.uncertainty_ns = (here > there ? (here - there) / 2 : 0) + 1,
	};
}

/* Waits for the answer to this question, and skips late answers to earlier ones. */
static bool await(const struct clock_exchange *exchange, uint64_t number, int patience_ms,
                  struct clock_answer *answer, uint64_t *arrival)
{
	uint64_t start = clock_system_ns(CLOCK_MONOTONIC), waited = 0;
	struct clock_datagram datagram;

	while (waited < (uint64_t)patience_ms * NS_PER_MS) {
		if (waited > AWAKE_NS)
			poll(&(struct pollfd){exchange->fd, POLLIN, 0}, 1, patience_ms);
		waited = clock_system_ns(CLOCK_MONOTONIC) - start;
		if (clock_service_receive(exchange->fd, &datagram)) {
			*arrival = timer_now() - datagram.age_ns * timer.rate / NS_PER_SECOND;
			if (clock_answer_take(datagram.bytes, datagram.size, answer) &&
			    answer->number == number)
				return true;
		} else if (errno != EAGAIN && errno != EINTR) {
			return false;
		}
	}
	return false;
}

static bool ask(struct clock_exchange *exchange, bool first, int patience_ms)
{
	struct clock_question question = {.clock = exchange->clock_hash, .first = first};
	struct clock_answer answer;
	uint8_t message[CLOCK_MESSAGE_BYTES];
	uint64_t sent, arrival;
	struct clock_pair pair;

	if (getrandom(&question.number, sizeof question.number, 0) != sizeof question.number)
		return false;
	memcpy(question.key, exchange->reference->key, sizeof question.key);
	clock_question_put(message, &question);
	sent = timer_now();
	if (sendto(exchange->fd, message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL,
	           (struct sockaddr *)&exchange->to, exchange->to_size) != sizeof message ||
	    !await(exchange, question.number, patience_ms, &answer, &arrival))
		return false;
	exchange->rounds++;
	pair = pair_of(exchange, sent, arrival, &answer);
	if (exchange->rounds == 1 || pair.uncertainty_ns < exchange->best.uncertainty_ns) {
		exchange->best = pair;
		exchange->best_round = exchange->rounds;
	}
	exchange->enough = answer.verdict == CLOCK_ENOUGH;
	return true;
}

/* The socket is not connected, like that of the other side, so that the system needs as long for a question as for an answer. */
static bool open_socket(struct clock_exchange *exchange, const char *address)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_V4MAPPED,
	                         .ai_family = AF_INET6,
	                         .ai_socktype = SOCK_DGRAM};
	struct addrinfo *found = NULL;

	exchange->fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (exchange->fd < 0) {
		hints.ai_family = AF_INET;
		exchange->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	}
	if (exchange->fd < 0)
		return false;
	if (getaddrinfo(address, exchange->reference->port, &hints, &found) != 0) {
		close(exchange->fd);
		return false;
	}
	clock_service_prepare(exchange->fd);
	memcpy(&exchange->to, found->ai_addr, found->ai_addrlen);
	exchange->to_size = found->ai_addrlen;
	freeaddrinfo(found);
	return true;
}

/* A machine has several addresses, some of which cannot be reached from here. Remembers the one that answered. */
static bool make_contact(struct clock_exchange *exchange)
{
	static const int patience_ms[] = {10, 40, 100};
	static size_t known;
	size_t count = exchange->reference->address_count;
	uint64_t start = clock_system_ns(CLOCK_MONOTONIC);

	for (size_t attempt = 0; attempt < sizeof patience_ms / sizeof *patience_ms; attempt++) {
		for (size_t i = 0; i < count; i++) {
			size_t which = (known + i) % count;
			if (clock_system_ns(CLOCK_MONOTONIC) - start > (uint64_t)CONTACT_MS * NS_PER_MS)
				return false;
			if (!open_socket(exchange, exchange->reference->addresses[which]))
				continue;
			if (ask(exchange, true, patience_ms[attempt])) {
				known = which;
				return true;
			}
			close(exchange->fd);
		}
	}
	return false;
}

static bool is_over(const struct clock_exchange *exchange, uint64_t duration_ns)
{
	return exchange->enough || exchange->rounds >= ROUNDS_MAX ||
	       duration_ns > (uint64_t)BURST_MS * NS_PER_MS ||
	       exchange->rounds - exchange->best_round >= ROUNDS_WITHOUT_GAIN;
}

enum measured reference_measure(struct clock_pair *pair)
{
	struct clock_exchange exchange = {.reference = reference_get(),
	                                  .clock_hash = hash_bytes(timer.identity, strlen(timer.identity))};
	uint64_t start, duration = 0;

	if (!exchange.reference || !make_contact(&exchange))
		return MEASURED_NOT;
	start = clock_system_ns(CLOCK_MONOTONIC);
	while (!is_over(&exchange, duration) && ask(&exchange, false, ANSWER_MS))
		duration = clock_system_ns(CLOCK_MONOTONIC) - start;
	*pair = exchange.best;
	close(exchange.fd);
	return exchange.enough ? MEASURED_BY_ANOTHER : MEASURED;
}
