/* Prints the rows of relate() for tests to read, a line for each group, with the layouts of row_printers.py. A call is
 * FUNCTION@PROCESS.THREAD:START-END#POSITION. Other lines are
 *
 *	begun NUMBER "NAME"
 *	counts NAME=NUMBER … open=REQUESTS,ACCESSES,EXPOSURES,LOCKS start=NS
 *
 * With --all every call is a row; --sites adds the sums of each distinct call, --only-sites prints only these, --pairs adds the
 * sums of consecutive calls, --in-order prints the completions of a process in order. With --corrected, times are those of the
 * logical clock. */
#include "analysis/model/relations.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print(const struct occurrence *call)
{
	printf(" %s@%u.%u:%" PRId64 "-%" PRId64 "#%" PRIu64, call->semantics->call->outline->name,
	       call->semantics->process, call->thread, call->start, call->end, call->position);
	if (call->phase)
		printf("/%u", call->phase);
}

static void print_if_any(const char *name, int64_t value)
{
	if (value)
		printf(" %s=%" PRId64, name, value);
}

/* A function for each relation: row_printers.py makes them of the table of relations. */
#include "row_printers.h"

static struct row_block *print_rows(void *context, const struct first_mentions *first,
                                    struct row_block *block)
{
	static uint32_t calls, phases;
	const uint32_t *sizes = relation_infos[block->relation].sizes;

	(void)context;
	for (uint32_t i = 0; i < first->call_count; i++)
		if (first->calls[i]->number != calls++)
			printf("wrong number of %s\n", first->calls[i]->call->outline->name);
	for (uint32_t i = 0; i < first->phase_count; i++)
		printf("begun %u \"%s\"\n", ++phases, first->phases[i].name);
	for (uint32_t row = 0, end; row < block->rows; row = end) {
		end = block_group_end(block, row);
		printers[block->relation](block->parts[PART_GROUP] + block->group_of[row] * sizes[PART_GROUP],
		                          block->parts[PART_ROW] + row * sizes[PART_ROW], end - row);
	}
	return block;
}

static void print_counts(const struct replay_counts *counts)
{
	printf("counts events=%" PRIu64 " messages=%" PRIu64 " unmatched_sends=%" PRIu64
	       " unmatched_receives=%" PRIu64 " cancelled=%" PRIu64 " violations=%" PRIu64,
	       counts->events, counts->messages, counts->unmatched_sends, counts->unmatched_receives,
	       counts->cancelled, counts->violations);
	printf(" open=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, counts->open_requests,
	       counts->open_accesses, counts->open_exposures, counts->open_locks);
	printf(" start=%" PRId64 "\n", counts->start_ns);
}

static bool has_option(int argc, char **argv, const char *option)
{
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], option) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static const bool no_function[ALL_CALLS + 1];
	struct row_sink sink = {.rows = print_rows};
	struct replay_counts counts;
	struct analysis_session *session;
	struct reader *reader;

	if (argc < 2 || reader_open(argv[1], &reader) != OK) {
		fprintf(stderr, "%s\n",
		        argc > 1
		                ? trail_text()
		                : "usage: print-relations TRACE [--all] [--sites|--only-sites] [--pairs] [--in-order] [--corrected]");
		return 1;
	}
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		sink.wants[i] = !has_option(argc, argv, "--only-sites");
	sink.wants[RELATION_SITE] = has_option(argc, argv, "--sites") ||
	                            has_option(argc, argv, "--only-sites");
	sink.wants[RELATION_CALL_PAIR] = has_option(argc, argv, "--pairs");
	sink.functions = has_option(argc, argv, "--all") ? NULL : no_function;
	sink.in_order = has_option(argc, argv, "--in-order");
	session = session_new(reader);
	/* As in the shipped rules */
	session->parameters = (struct shared_parameters){.polls = {.gap_ns = 2000, .part = 0.25},
	                                                 .repeats = {.gap_ns = 1000, .part = 0.05},
	                                                 .longest_part = 0.1};
	if (has_option(argc, argv, "--corrected"))
		session_correct_time(session);
	relate(session, &sink, &counts);
	print_counts(&counts);
	session_free(session);
	reader_close(reader);
	return 0;
}
