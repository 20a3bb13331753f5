/* Prints the rows of relate(), a line for each group, for tests to read; a call is FUNCTION@PROCESS.THREAD:START-END#POSITION:
 *
 *	call CALL
 *	completion WAIT: send|receive|probe SEND POST comm=… SOURCE->DEST tag=…; …
 *	gathering comm=… order=… position=… size=… [incomplete] [mixed]: [root] SIDE.RANK CALL WAIT [alone=NS]; …
 *	neighbour RANK CALL WAIT LAST sources=…
 *	request START WAIT polls=… [cancelled] [persistent]
 *	exposures win=… POST WAIT: ORIGIN START COMPLETE FIRST LAST accesses=…; …
 *	epoch win=… START COMPLETE: TARGET POST FIRST accesses=…; …
 *	fence win=… size=…: RANK CALL LAST accesses=… origins=…; …
 *	lock win=… target=… [exclusive] TAKE FIRST GIVE [before UNLOCK]
 *	mutex LOCK TAKE GIVE [before UNLOCK]
 *	thread_fence CALL LAST accesses=… bytes=…
 *	passive win=… target=… CALL NEXT absent=… [contended]
 *	access win=… ORIGIN->TARGET CALL CLOSE
 *	partitioned START FIRST LAST ready=…
 *	polling CALL polls=… busy=…
 *	inversion WAIT SEND [same]
 *	begun NUMBER "NAME"
 *	phase NUMBER "NAME" BEGIN FINISH
 *	site CALL count=… starts=… inside=… before=… bytes=…
 *	counts NAME=NUMBER … open=REQUESTS,ACCESSES,EXPOSURES,LOCKS start=NS
 *
 * With --all every call is a row, with --sites also what they add up to, with
 * --only-sites nothing else, with --pairs also what they add up to behind each other, with --in-order the completions of a process in their order. With
 * --corrected, times are those of the logical clock. */
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

static void print_call(const void *group, const void *row, uint32_t count)
{
	const struct occurrence *call = row;

	(void)group, (void)count;
	printf("call");
	print(call);
	printf("\n");
}

static void print_completion(const void *group, const void *rows, uint32_t count)
{
	const struct completion *completion = group;
	const struct transfer *row = rows;

	printf("completion");
	print(&completion->wait);
	for (uint32_t i = 0; i < count; i++) {
		const struct transfer *transfer = &row[i];
		printf("%s %s", i ? ";" : ":",
		       transfer->is_send    ? "send"
		       : transfer->is_probe ? "probe"
		                            : "receive");
		print(&transfer->send);
		print(&transfer->post);
		printf(" comm=%" PRIx64 " %u->%u tag=%d", transfer->send.semantics->kind->comm,
		       transfer->send.semantics->own_rank, (uint32_t)transfer->send.semantics->dest,
		       transfer->send.semantics->kind->tag);
	}
	printf("\n");
}

static void print_gathering(const void *group, const void *rows, uint32_t count)
{
	const struct collective_operation *gathering = group;
	const struct collective_call *row = rows;

	printf("gathering comm=%" PRIx64 " order=%u position=%" PRIu64 " size=%u%s%s", gathering->comm,
	       gathering->order, gathering->position, gathering->size,
	       gathering->is_complete ? "" : " incomplete", gathering->is_mixed ? " mixed" : "");
	for (uint32_t i = 0; i < count; i++) {
		const struct collective_call *participant = &row[i];
		printf("%s%s %u.%u", i ? ";" : ":", participant->is_root ? " root" : "", participant->side,
		       participant->rank);
		print(&participant->call);
		print(&participant->wait);
		print_if_any("alone", participant->alone);
	}
	printf("\n");
}

static void print_neighbour(const void *group, const void *row, uint32_t count)
{
	const struct neighbour_call *call = row;

	(void)group, (void)count;
	printf("neighbour %u", call->rank);
	print(&call->call);
	print(&call->wait);
	print(&call->last);
	printf(" sources=%u\n", call->sources);
}

static void print_request(const void *group, const void *row, uint32_t count)
{
	const struct request_life *life = row;

	(void)group, (void)count;
	printf("request");
	print(&life->start);
	print(&life->wait);
	printf(" polls=%" PRIu64 "%s%s\n", life->polls, life->is_cancelled ? " cancelled" : "",
	       life->is_persistent ? " persistent" : "");
}

static void print_exposures(const void *group, const void *rows, uint32_t count)
{
	const struct exposure_epoch *exposures = group;
	const struct exposure *row = rows;

	printf("exposures win=%" PRIx64, exposures->window);
	print(&exposures->post);
	print(&exposures->wait);
	for (uint32_t i = 0; i < count; i++) {
		const struct exposure *origin = &row[i];
		printf("%s %u", i ? ";" : ":", origin->origin);
		print(&origin->start);
		print(&origin->complete);
		print(&origin->first);
		print(&origin->last);
		printf(" accesses=%" PRIu64, origin->accesses);
	}
	printf("\n");
}

static void print_access_epoch(const void *group, const void *rows, uint32_t count)
{
	const struct origin_epoch *epoch = group;
	const struct access_epoch *row = rows;

	printf("epoch win=%" PRIx64, epoch->window);
	print(&epoch->start);
	print(&epoch->complete);
	for (uint32_t i = 0; i < count; i++) {
		const struct access_epoch *target = &row[i];
		printf("%s %u", i ? ";" : ":", target->target);
		print(&target->post);
		print(&target->first);
		printf(" accesses=%" PRIu64, target->accesses);
	}
	printf("\n");
}

static void print_fence(const void *group, const void *rows, uint32_t count)
{
	const struct window_fence *fence = group;
	const struct fence *row = rows;

	printf("fence win=%" PRIx64 " size=%u", fence->window, fence->size);
	for (uint32_t i = 0; i < count; i++) {
		const struct fence *part = &row[i];
		printf("%s %u", i ? ";" : ":", part->rank);
		print(&part->call);
		print(&part->last);
		printf(" accesses=%" PRIu64 " origins=%u", part->accesses, part->origins);
	}
	printf("\n");
}

static void print_partitioned(const void *group, const void *row, uint32_t count)
{
	const struct partitioned_send *send = row;

	(void)group, (void)count;
	printf("partitioned");
	print(&send->start);
	print(&send->first);
	print(&send->last);
	printf(" ready=%" PRIu64 "\n", send->ready);
}

static void print_inversion(const void *group, const void *row, uint32_t count)
{
	const struct inversion *inversion = row;

	(void)group, (void)count;
	printf("inversion");
	print(&inversion->wait);
	print(&inversion->send);
	printf("%s\n", inversion->same_source ? " same" : "");
}

static void print_polling(const void *group, const void *row, uint32_t count)
{
	const struct polling *polling = row;

	(void)group, (void)count;
	printf("polling");
	print(&polling->call);
	printf(" polls=%" PRIu64 " busy=%" PRId64 "\n", polling->polls, polling->busy);
}

static void print_lock(const void *group, const void *row, uint32_t count)
{
	const struct lock_hold *hold = row;

	(void)group, (void)count;
	printf("lock win=%" PRIx64 " target=%d%s", hold->window, (int)hold->target,
	       hold->is_exclusive ? " exclusive" : "");
	print(&hold->take);
	print(&hold->first);
	print(&hold->give);
	if (memcmp(&hold->before, &hold->take, sizeof hold->before) != 0) {
		printf(" before");
		print(&hold->before);
	}
	printf("\n");
}

static void print_mutex(const void *group, const void *row, uint32_t count)
{
	const struct mutex_hold *hold = row;

	(void)group, (void)count;
	printf("mutex %" PRIx64, hold->mutex);
	print(&hold->take);
	print(&hold->give);
	if (memcmp(&hold->before, &hold->take, sizeof hold->before) != 0) {
		printf(" before");
		print(&hold->before);
	}
	printf("\n");
}

static void print_thread_fence(const void *group, const void *row, uint32_t count)
{
	const struct thread_fence *fence = row;

	(void)group, (void)count;
	printf("thread_fence");
	print(&fence->call);
	print(&fence->last);
	printf(" accesses=%" PRIu64 " bytes=%" PRId64 "\n", fence->accesses, fence->bytes);
}

static void print_passive(const void *group, const void *row, uint32_t count)
{
	const struct passive_call *call = row;

	(void)group, (void)count;
	printf("passive win=%" PRIx64 " target=%u", call->window, call->target);
	print(&call->call);
	print(&call->next);
	printf(" absent=%" PRId64 "%s\n", call->absent, call->is_contended ? " contended" : "");
}

static void print_access(const void *group, const void *row, uint32_t count)
{
	const struct access *access = row;

	(void)group, (void)count;
	printf("access win=%" PRIx64 " %u->%u", access->window, access->origin, access->target);
	print(&access->call);
	print(&access->close);
	printf("\n");
}

static void print_phase(const void *group, const void *row, uint32_t count)
{
	const struct phase_time *time = row;

	(void)group, (void)count;
	printf("phase %u \"%s\"", time->phase, time->name);
	print(&time->begin);
	print(&time->finish);
	printf("\n");
}

/* What most sites have not. */
static void print_site(const void *group, const void *row, uint32_t count)
{
	const struct site_sum *site = row;

	(void)group, (void)count;
	printf("site");
	print(&site->call);
	printf(" count=%" PRIu64 " starts=%" PRIu64 " inside=%" PRId64 " before=%" PRId64 " bytes=%" PRId64,
	       site->count, site->starts, site->inside, site->before, site->bytes);
	print_if_any("delay", site->delay);
	print_if_any("active", site->active);
	print_if_any("repeated", (int64_t)site->repeated);
	print_if_any("repeated_inside", site->repeated_inside);
	printf("\n");
}

static void print_pair(const void *group, const void *row, uint32_t count)
{
	const struct call_pair *pair = row;

	(void)group, (void)count;
	printf("pair");
	if (pair->is_first)
		printf(" first");
	else
		print(&pair->previous);
	print(&pair->call);
	printf(" count=%" PRIu64 " inside=%" PRId64 " before=%" PRId64, pair->count, pair->inside,
	       pair->before);
	print_if_any("delay", pair->delay);
	print_if_any("same_peer", pair->same_peer);
	print_if_any("active", pair->active);
	print_if_any("ready", (int64_t)pair->ready);
	print_if_any("ready_inside", pair->ready_inside);
	print_if_any("ready_since", pair->ready_since);
	print_if_any("overlap", pair->overlap);
	printf("\n");
}

static void (*const printers[RELATIONS_END])(const void *group, const void *rows, uint32_t count) = {
	[RELATION_CALL] = print_call,
	[RELATION_TRANSFER] = print_completion,
	[RELATION_COLLECTIVE_CALL] = print_gathering,
	[RELATION_NEIGHBOUR_CALL] = print_neighbour,
	[RELATION_REQUEST_LIFE] = print_request,
	[RELATION_EXPOSURE] = print_exposures,
	[RELATION_ACCESS_EPOCH] = print_access_epoch,
	[RELATION_FENCE] = print_fence,
	[RELATION_LOCK_HOLD] = print_lock,
	[RELATION_MUTEX_HOLD] = print_mutex,
	[RELATION_THREAD_FENCE] = print_thread_fence,
	[RELATION_PASSIVE_CALL] = print_passive,
	[RELATION_ACCESS] = print_access,
	[RELATION_PARTITIONED_SEND] = print_partitioned,
	[RELATION_POLLING] = print_polling,
	[RELATION_INVERSION] = print_inversion,
	[RELATION_PHASE_TIME] = print_phase,
	[RELATION_CALL_PAIR] = print_pair,
	[RELATION_SITE] = print_site,
};

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
		printf("begun %u \"%s\"\n", ++phases, first->phases[i]);
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
	struct corrected_time *time;
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
	time = has_option(argc, argv, "--corrected") ? corrected_time_new(reader, NULL)
	                                             : corrected_time_by_clocks(reader);
	relate(reader, time, &sink, &counts);
	print_counts(&counts);
	corrected_time_free(time);
	reader_close(reader);
	return 0;
}
