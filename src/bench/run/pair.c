#include "bench/run/pair.h"

enum { TAG_QUESTION = 1, TAG_ANSWER = 2, TAG_EXCHANGE = 4 };

/* Kinds of questions; a larger value means: ask back with this patience. */
enum { QUESTION_LAST = -1, QUESTION_TIME = 0 };

enum {
	TRIPS = 128,           /* of one comparison, in each direction */
	TRIP_NS = 1000 * 1000, /* time limit of a comparison, per trip of its patience */
	EXCHANGE_WORDS = sizeof(struct exchange) / sizeof(int64_t),
};

static void say(MPI_Comm comm, int server, int64_t question)
{
	MPI_Send(&question, 1, MPI_INT64_T, server, TAG_QUESTION, comm);
}

static struct exchange ask_once(const struct global_clock *clock, MPI_Comm comm, int server)
{
	struct exchange exchange;

	exchange.sent = global_now(clock);
	say(comm, server, QUESTION_TIME);
	MPI_Recv(&exchange.answered, 1, MPI_INT64_T, server, TAG_ANSWER, comm, MPI_STATUS_IGNORE);
	exchange.received = global_now(clock);
	return exchange;
}

struct exchange pair_ask(const struct bench_timer *timer, MPI_Comm comm, int server, int patience,
                         int64_t limit_ns)
{
	const struct global_clock own = {.timer = timer};
	struct exchange best = ask_once(&own, comm, server);
	/* From the first answer on: before, the other process may have been busy. */
	int64_t deadline = best.received + limit_ns;

	for (int in_vain = 0; in_vain < patience && timer->now() < deadline; in_vain++) {
		struct exchange exchange = ask_once(&own, comm, server);

		if (round_trip(&exchange) < round_trip(&best)) {
			best = exchange;
			in_vain = -1;
		}
	}
	return best;
}

/* One direction of a comparison. */
static struct exchange ask_often(const struct global_clock *clock, MPI_Comm comm, int server, int patience)
{
	struct exchange exchanges[TRIPS] = {ask_once(clock, comm, server)};
	int64_t shortest = round_trip(&exchanges[0]),
		deadline = exchanges[0].received + patience * (int64_t)TRIP_NS;
	size_t count = 1;

	for (int in_vain = 0; count < TRIPS && in_vain < patience && global_now(clock) < deadline;
	     in_vain++) {
		exchanges[count] = ask_once(clock, comm, server);
		if (round_trip(&exchanges[count]) < shortest) {
			shortest = round_trip(&exchanges[count]);
			in_vain = -1;
		}
		count++;
	}
	return exchanges_typical(exchanges, count);
}

struct exchange pair_compare(const struct bench_timer *timer, MPI_Comm comm, int server, int patience)
{
	const struct global_clock own = {.timer = timer};
	struct exchange here = ask_often(&own, comm, server, patience), there;

	say(comm, server, patience);
	pair_serve(&own, comm, server);
	MPI_Recv(&there, EXCHANGE_WORDS, MPI_INT64_T, server, TAG_EXCHANGE, comm, MPI_STATUS_IGNORE);
	there = exchange_mirror(&there);
	return exchange_between(&here, &there);
}

void pair_end(MPI_Comm comm, int server)
{
	say(comm, server, QUESTION_LAST);
}

static void take_turn(const struct global_clock *clock, MPI_Comm comm, int client, int patience)
{
	struct exchange exchange = ask_often(clock, comm, client, patience);

	pair_end(comm, client);
	MPI_Send(&exchange, EXCHANGE_WORDS, MPI_INT64_T, client, TAG_EXCHANGE, comm);
}

void pair_serve(const struct global_clock *clock, MPI_Comm comm, int client)
{
	for (;;) {
		int64_t question = QUESTION_LAST, answer;

		MPI_Recv(&question, 1, MPI_INT64_T, client, TAG_QUESTION, comm, MPI_STATUS_IGNORE);
		if (question == QUESTION_LAST)
			return;
		if (question > QUESTION_TIME) {
			take_turn(clock, comm, client, (int)question);
			continue;
		}
		answer = global_now(clock);
		MPI_Send(&answer, 1, MPI_INT64_T, client, TAG_ANSWER, comm);
	}
}
