/* Prints the corrected times of a trace, for tests to read:
 *
 *	clock "IDENTITY" processes=N compared=BOOL hops=N measured=N used=N drift_ppm=X
 *	event PROCESS START END START_NS END_NS CLOCK_START_NS CLOCK_END_NS UNCERTAINTY_NS
 *	violations before_messages=N before_collectives=N worst=NS after_messages=N after_collectives=N moves=N passes=N
 *
 * CLOCK_* are times without the logical clock. */
#include "analysis/model/session.h"

#include <stdio.h>

static void print_clocks(const struct clocks *clocks)
{
	for (uint32_t i = 0; i < clocks->line_count; i++) {
		const struct clock_line *line = &clocks->lines[i];
		printf("clock \"%s\" processes=%u compared=%d hops=%u measured=%u used=%u drift_ppm=%.6f\n",
		       line->identity, line->processes, line->is_compared, line->hops, line->measured,
		       line->knot_count, clock_drift_ppm(line));
	}
}

static void print_event(const struct corrected_time *time, uint32_t process, const struct event *event)
{
	printf("event %u %llu %llu %lld %lld %lld %lld %.3f\n", process, (unsigned long long)event->start,
	       (unsigned long long)event->end, (long long)corrected_ns(time, process, event->start),
	       (long long)corrected_ns(time, process, event->end),
	       (long long)clocks_ns(time->clocks, process, event->start),
	       (long long)clocks_ns(time->clocks, process, event->end),
	       clocks_uncertainty_ns(time->clocks, process, event->start));
}

static void print_events(struct reader *reader, const struct corrected_time *time)
{
	for (uint32_t i = 0; i < reader->process_count; i++) {
		for (size_t j = 0; j < reader->processes[i].stream_count; j++) {
			struct event_iter iter;
			struct event event;
			reader_events(reader, &reader->processes[i].streams[j], &iter);
			while (reader_next(&iter, &event))
				print_event(time, i, &event);
		}
	}
}

static void print_violations(const struct corrected_time *time)
{
	printf("violations before_messages=%llu before_collectives=%llu worst=%lld after_messages=%llu "
	       "after_collectives=%llu moves=%llu passes=%u\n",
	       (unsigned long long)time->before.messages, (unsigned long long)time->before.collectives,
	       (long long)time->before.worst_ns, (unsigned long long)time->after.messages,
	       (unsigned long long)time->after.collectives, (unsigned long long)time->moves, time->passes);
}

int main(int argc, char **argv)
{
	struct analysis_session *session;
	struct reader *reader;

	if (argc != 2 || reader_open(argv[1], &reader) != OK) {
		fprintf(stderr, "%s\n", argc == 2 ? trail_text() : "usage: print-times TRACE");
		return 1;
	}
	session = session_new(reader);
	session_correct_time(session);
	print_clocks(session->time->clocks);
	print_events(reader, session->time);
	print_violations(session->time);
	session_free(session);
	reader_close(reader);
	return 0;
}
