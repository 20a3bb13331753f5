/* Prints a replay, one line per callback, for tests to read:
 *
 *	enter PROCESS START FUNCTION
 *	message FROM_PROCESS FROM_START TO_PROCESS TO_START END SOURCE DEST TAG BYTES [probed]
 *	collective PROCESS START END CAUSE_PROCESS|- CAUSE_MOMENT
 *	leave PROCESS START END
 *	counts NAME=NUMBER … */
#include "analysis/model/figures.h"
#include "analysis/model/relations.h"

#include <stdio.h>

static void print_begin(void *context, struct occurrence *call, const struct event *event)
{
	(void)context;
	printf("enter %u %llu %s\n", call->semantics->process, (unsigned long long)event->start,
	       event->call->outline->name);
}

static void print_message(void *context, const struct occurrence *call,
                          const struct completed_message *message)
{
	const struct call_semantics *send = message->send->semantics;

	(void)context;
	printf("message %u %lld %u %lld %lld %u %u %d %llu%s\n", send->process,
	       (long long)message->send->start, message->post->semantics->process,
	       (long long)message->post->start, (long long)call->end, send->own_rank, (uint32_t)send->dest,
	       send->kind->tag, (unsigned long long)sent_bytes(send->call),
	       message->is_probed ? " probed" : "");
}

static void print_collective(void *context, const struct occurrence *call, const struct collective_end *end)
{
	(void)context;
	printf("collective %u %lld %lld ", call->semantics->process, (long long)end->start,
	       (long long)call->end);
	if (end->cause == NO_PROCESS)
		printf("- 0\n");
	else
		printf("%u %lld\n", end->cause, (long long)end->cause_moment);
}

static void print_end(void *context, const struct occurrence *call, const struct event *event)
{
	(void)context;
	printf("leave %u %llu %llu\n", call->semantics->process, (unsigned long long)event->start,
	       (unsigned long long)event->end);
}

static void print_counts(const struct replay_counts *counts)
{
	printf("counts events=%llu messages=%llu unmatched_sends=%llu unmatched_receives=%llu cancelled=%llu "
	       "collectives=%llu incomplete_collectives=%llu mixed_collectives=%llu forced=%llu passed_over=%llu unrecorded=%llu\n",
	       (unsigned long long)counts->events, (unsigned long long)counts->messages,
	       (unsigned long long)counts->unmatched_sends, (unsigned long long)counts->unmatched_receives,
	       (unsigned long long)counts->cancelled, (unsigned long long)counts->collectives,
	       (unsigned long long)counts->incomplete_collectives,
	       (unsigned long long)counts->mixed_collectives, (unsigned long long)counts->forced,
	       (unsigned long long)counts->passed_over, (unsigned long long)counts->unrecorded);
}

int main(int argc, char **argv)
{
	const struct row_sink sink = {.in_ticks = true,
	                              .begin = print_begin,
	                              .message = print_message,
	                              .collective = print_collective,
	                              .call = print_end};
	struct analysis_session *session;
	struct replay_counts counts;
	struct reader *reader;

	if (argc != 2 || reader_open(argv[1], &reader) != OK) {
		fprintf(stderr, "%s\n", argc == 2 ? trail_text() : "usage: print-replay TRACE");
		return 1;
	}
	session = session_new(reader);
	relate(session, &sink, &counts);
	print_counts(&counts);
	session_free(session);
	reader_close(reader);
	return 0;
}
