/* Prints what relate() tells, a line for each callback, for tests to read; a call is FUNCTION@PROCESS.THREAD:START-END#POSITION:
 *
 *	call CALL
 *	completion WAIT: send|receive|probe SEND POST comm=… SOURCE->DEST tag=…; …
 *	gathering comm=… lane=… position=… size=… [incomplete] [mixed]: [root] SIDE.RANK CALL WAIT [alone=NS]; …
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
 * With --all every call is told, with --sites also what they add up to, with
 * --only-sites nothing else, with --pairs also what they add up to behind each other, with --in-order the completions of a process in their order. With
 * --corrected, times are those of the logical clock. */
#include "analysis/model/relations.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool tells_calls;

static void meet(void *context, struct role *role)
{
	(void)context;
	role->is_told = tells_calls;
	role->note = "met";
}

static void print(const struct occurrence *call)
{
	printf(" %s@%u.%u:%" PRId64 "-%" PRId64 "#%" PRIu64, call->role->call->outline->name,
	       call->role->process, call->thread, call->start, call->end, call->position);
	if (!call->role->note)
		printf("!unmet");
	if (call->phase)
		printf("/%u", call->phase);
}

static void print_if_any(const char *name, int64_t value)
{
	if (value)
		printf(" %s=%" PRId64, name, value);
}

static void print_call(void *context, const struct occurrence *call)
{
	(void)context;
	printf("call");
	print(call);
	printf("\n");
}

static void print_completion(void *context, const struct completion *completion)
{
	(void)context;
	printf("completion");
	print(&completion->wait);
	for (uint32_t i = 0; i < completion->count; i++) {
		const struct transfer *transfer = &completion->rows[i];
		printf("%s %s", i ? ";" : ":",
		       transfer->is_send    ? "send"
		       : transfer->is_probe ? "probe"
		                            : "receive");
		print(&transfer->send);
		print(&transfer->post);
		printf(" comm=%" PRIx64 " %u->%u tag=%d", transfer->send.role->kind->comm,
		       transfer->send.role->own_rank, (uint32_t)transfer->send.role->dest,
		       transfer->send.role->kind->tag);
	}
	printf("\n");
}

static void print_gathering(void *context, const struct collective_operation *gathering)
{
	(void)context;
	printf("gathering comm=%" PRIx64 " lane=%u position=%" PRIu64 " size=%u%s%s", gathering->comm,
	       gathering->lane, gathering->position, gathering->size,
	       gathering->is_complete ? "" : " incomplete", gathering->is_mixed ? " mixed" : "");
	for (uint32_t i = 0; i < gathering->count; i++) {
		const struct collective_call *participant = &gathering->rows[i];
		printf("%s%s %u.%u", i ? ";" : ":", participant->is_root ? " root" : "", participant->side,
		       participant->rank);
		print(&participant->call);
		print(&participant->wait);
		print_if_any("alone", participant->alone);
	}
	printf("\n");
}

static void print_neighbour(void *context, const struct neighbour_call *call)
{
	(void)context;
	printf("neighbour %u", call->rank);
	print(&call->call);
	print(&call->wait);
	print(&call->last);
	printf(" sources=%u\n", call->sources);
}

static void print_request(void *context, const struct request_life *life)
{
	(void)context;
	printf("request");
	print(&life->start);
	print(&life->wait);
	printf(" polls=%" PRIu64 "%s%s\n", life->polls, life->is_cancelled ? " cancelled" : "",
	       life->is_persistent ? " persistent" : "");
}

static void print_exposures(void *context, const struct exposure_epoch *exposures)
{
	(void)context;
	printf("exposures win=%" PRIx64, exposures->window);
	print(&exposures->post);
	print(&exposures->wait);
	for (uint32_t i = 0; i < exposures->count; i++) {
		const struct exposure *origin = &exposures->rows[i];
		printf("%s %u", i ? ";" : ":", origin->origin);
		print(&origin->start);
		print(&origin->complete);
		print(&origin->first);
		print(&origin->last);
		printf(" accesses=%" PRIu64, origin->accesses);
	}
	printf("\n");
}

static void print_access_epoch(void *context, const struct origin_epoch *epoch)
{
	(void)context;
	printf("epoch win=%" PRIx64, epoch->window);
	print(&epoch->start);
	print(&epoch->complete);
	for (uint32_t i = 0; i < epoch->count; i++) {
		const struct access_epoch *target = &epoch->rows[i];
		printf("%s %u", i ? ";" : ":", target->target);
		print(&target->post);
		print(&target->first);
		printf(" accesses=%" PRIu64, target->accesses);
	}
	printf("\n");
}

static void print_fence(void *context, const struct window_fence *fence)
{
	(void)context;
	printf("fence win=%" PRIx64 " size=%u", fence->window, fence->size);
	for (uint32_t i = 0; i < fence->count; i++) {
		const struct fence *part = &fence->rows[i];
		printf("%s %u", i ? ";" : ":", part->rank);
		print(&part->call);
		print(&part->last);
		printf(" accesses=%" PRIu64 " origins=%u", part->accesses, part->origins);
	}
	printf("\n");
}

static void print_partitioned(void *context, const struct partitioned_send *send)
{
	(void)context;
	printf("partitioned");
	print(&send->start);
	print(&send->first);
	print(&send->last);
	printf(" ready=%" PRIu64 "\n", send->ready);
}

static void print_inversion(void *context, const struct inversion *inversion)
{
	(void)context;
	printf("inversion");
	print(&inversion->wait);
	print(&inversion->send);
	printf("%s\n", inversion->same_source ? " same" : "");
}

static void print_polling(void *context, const struct polling *polling)
{
	(void)context;
	printf("polling");
	print(&polling->call);
	printf(" polls=%" PRIu64 " busy=%" PRId64 "\n", polling->polls, polling->busy);
}

static void print_lock(void *context, const struct lock_hold *hold)
{
	(void)context;
	printf("lock win=%" PRIx64 " target=%d%s", hold->window, (int)hold->target,
	       hold->is_exclusive ? " exclusive" : "");
	print(&hold->take);
	print(&hold->first);
	print(&hold->give);
	if (hold->had_to_wait) {
		printf(" before");
		print(&hold->before);
	}
	printf("\n");
}

static void print_mutex(void *context, const struct mutex_hold *hold)
{
	(void)context;
	printf("mutex %" PRIx64, hold->mutex);
	print(&hold->take);
	print(&hold->give);
	if (memcmp(&hold->before, &hold->take, sizeof hold->before) != 0) {
		printf(" before");
		print(&hold->before);
	}
	printf("\n");
}

static void print_thread_fence(void *context, const struct thread_fence *fence)
{
	(void)context;
	printf("thread_fence");
	print(&fence->call);
	print(&fence->last);
	printf(" accesses=%" PRIu64 " bytes=%" PRId64 "\n", fence->accesses, fence->bytes);
}

static void print_passive(void *context, const struct passive_call *call)
{
	(void)context;
	printf("passive win=%" PRIx64 " target=%u", call->window, call->target);
	print(&call->call);
	print(&call->next);
	printf(" absent=%" PRId64 "%s\n", call->absent, call->is_contended ? " contended" : "");
}

static void print_access(void *context, const struct access *access)
{
	(void)context;
	printf("access win=%" PRIx64 " %u->%u", access->window, access->origin, access->target);
	print(&access->call);
	print(&access->close);
	printf("\n");
}

static void print_begun(void *context, uint32_t phase, const char *name)
{
	(void)context;
	printf("begun %u \"%s\"\n", phase, name);
}

static void print_phase(void *context, const struct phase_time *time)
{
	(void)context;
	printf("phase %u \"%s\"", time->phase, time->name);
	print(&time->begin);
	print(&time->finish);
	printf("\n");
}

/* What most sites have not. */
static void print_site(void *context, const struct site_sum *site)
{
	(void)context;
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

static void print_pair(void *context, const struct call_pair *pair)
{
	(void)context;
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

static void pass_gathering(void *context, const struct collective_operation *gathering)
{
	(void)context, (void)gathering;
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

int main(int argc, char **argv)
{
	struct teller teller = {.meet = meet,
	                        .call = print_call,
	                        .completion = print_completion,
	                        .gathering = print_gathering,
	                        .request = print_request,
	                        .neighbour = print_neighbour,
	                        .passive = print_passive,
	                        .exposures = print_exposures,
	                        .access_epoch = print_access_epoch,
	                        .fence = print_fence,
	                        .partitioned = print_partitioned,
	                        .polling = print_polling,
	                        .inversion = print_inversion,
	                        .lock = print_lock,
	                        .mutex = print_mutex,
	                        .thread_fence = print_thread_fence,
	                        .access = print_access,
	                        .phase_begun = print_begun,
	                        .phase = print_phase};
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
	for (int i = 2; i < argc; i++)
		tells_calls |= strcmp(argv[i], "--all") == 0;
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], "--sites") == 0)
			teller.site = print_site;
		else if (strcmp(argv[i], "--only-sites") == 0)
			teller = (struct teller){
				.meet = meet, .site = print_site, .gathering = pass_gathering};
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], "--pairs") == 0)
			teller.call_pair = print_pair;
	for (int i = 2; i < argc; i++)
		teller.in_order |= strcmp(argv[i], "--in-order") == 0;
	time = strcmp(argv[argc - 1], "--corrected") == 0 ? corrected_time_new(reader, NULL)
	                                                  : corrected_time_by_clocks(reader);
	relate(reader, time, &teller, &counts);
	print_counts(&counts);
	corrected_time_free(time);
	reader_close(reader);
	return 0;
}
