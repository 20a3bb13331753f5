/* Prints what a replay tells, a line for each callback, for tests to read:
 *
 *	enter PROCESS START FUNCTION
 *	message FROM_PROCESS FROM_START TO_PROCESS TO_START END SOURCE DEST TAG BYTES [probed]
 *	collective PROCESS START END CAUSE_PROCESS|- CAUSE_MOMENT
 *	leave PROCESS START END
 *	counts NAME=NUMBER … */
#include "analysis/model/replay.h"

#include <stdio.h>

static void print_enter(void *context, struct step *step)
{
	(void)context;
	printf("enter %u %llu %s\n", step->process, (unsigned long long)step->event->start,
	       step->event->call->outline->name);
}

static void print_message(void *context, struct step *step, const struct message *message)
{
	(void)context;
	printf("message %u %llu %u %llu %llu %u %u %d %llu%s\n", message->from.process,
	       (unsigned long long)message->from.start, message->to.process,
	       (unsigned long long)message->to.start, (unsigned long long)step->event->end, message->source,
	       message->dest, message->tag, (unsigned long long)message_bytes(message),
	       message->probed ? " probed" : "");
}

static void print_collective(void *context, struct step *step, const struct collective_end *collective)
{
	(void)context;
	printf("collective %u %llu %llu ", step->process, (unsigned long long)collective->start,
	       (unsigned long long)step->event->end);
	if (collective->cause == NO_PROCESS)
		printf("- 0\n");
	else
		printf("%u %lld\n", collective->cause, (long long)collective->cause_moment);
}

static void print_leave(void *context, struct step *step)
{
	(void)context;
	printf("leave %u %llu %llu\n", step->process, (unsigned long long)step->event->start,
	       (unsigned long long)step->event->end);
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
	const struct visitor visitor = {.enter = print_enter,
	                                .message = print_message,
	                                .collective = print_collective,
	                                .leave = print_leave};
	struct replay_counts counts;
	struct reader *reader;

	if (argc != 2 || reader_open(argv[1], &reader) != OK) {
		fprintf(stderr, "%s\n", argc == 2 ? trail_text() : "usage: print-replay TRACE");
		return 1;
	}
	replay(reader, &visitor, &counts);
	print_counts(&counts);
	reader_close(reader);
	return 0;
}
