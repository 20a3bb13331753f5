#include "bench/pair.h"

enum { TAG_QUESTION = 1, TAG_ANSWER = 2 };
enum { QUESTION_TIME, QUESTION_LAST };

static struct exchange ask_once(const struct timer *timer, MPI_Comm comm, int server)
{
	struct exchange exchange;
	int question = QUESTION_TIME;

	exchange.sent = timer->now();
	MPI_Send(&question, 1, MPI_INT, server, TAG_QUESTION, comm);
	MPI_Recv(&exchange.answered, 1, MPI_INT64_T, server, TAG_ANSWER, comm, MPI_STATUS_IGNORE);
	exchange.received = timer->now();
	return exchange;
}

struct exchange pair_ask(const struct timer *timer, MPI_Comm comm, int server, int patience, int64_t limit_ns)
{
	struct exchange best = ask_once(timer, comm, server);
	/* From the first answer on: before, the other one may have been busy with others. */
	int64_t deadline = best.received + limit_ns;

	for (int in_vain = 0; in_vain < patience && timer->now() < deadline; in_vain++) {
		struct exchange exchange = ask_once(timer, comm, server);

		if (round_trip(&exchange) < round_trip(&best)) {
			best = exchange;
			in_vain = -1;
		}
	}
	return best;
}

void pair_end(MPI_Comm comm, int server)
{
	int question = QUESTION_LAST;

	MPI_Send(&question, 1, MPI_INT, server, TAG_QUESTION, comm);
}

void pair_serve(const struct global_clock *clock, MPI_Comm comm, int client)
{
	for (;;) {
		int question = QUESTION_LAST;
		int64_t answer;

		MPI_Recv(&question, 1, MPI_INT, client, TAG_QUESTION, comm, MPI_STATUS_IGNORE);
		if (question == QUESTION_LAST)
			return;
		answer = global_now(clock);
		MPI_Send(&answer, 1, MPI_INT64_T, client, TAG_ANSWER, comm);
	}
}
