/* Teams of OpenMP threads: barriers, loops, waits for locks and for tasks, parallel regions with the work in them, and the serial part of a
 * process between two parallel regions, when its other threads are idle. All of it is within one process,
 * whose threads share a clock.
 *
 * The n-th barrier of a thread in a team matches the n-th of the others. If a trace lacks some barriers,
 * wrong ones would match: calls that do not overlap are not a barrier, and are ignored. Memory is needed for
 * barriers that some thread has not left. */
#include "analysis/model/follower.h"
#include "analysis/model/processes.h"
#include "analysis/model/session.h"
#include "analysis/model/spans.h"
#include "base/map.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limit if a thread never arrives. */
enum { OPEN_MAX = 256 };
/* Damaged traces may have any number. */
enum { MEMBERS_MAX = 1 << 16 };

/* A loop that a thread is in. */
struct open_loop {
	struct occurrence begin; /* no semantics: none */
	int64_t work_ns;         /* of the thread at the begin */
};

/* A thread. */
struct team_member {
	int64_t inside_ns;          /* in calls of MPI since its last barrier or fork */
	struct occurrence longest;  /* of them; no semantics: none */
	int64_t since;              /* the end of its last wait, or the begin of its region */
	int64_t work_ns, before_ns; /* so far, and until the begin of its region */
	/* Since its last barrier or fork. */
	struct open_loop loop;
	struct occurrence longest_loop; /* no semantics: none */
	int64_t longest_ns, in_loops_ns;
	/* Its last barrier. */
	uint32_t team;
	uint64_t number;
	struct occurrence barrier;
};

struct open_barrier {
	uint64_t number; /* among those of the team */
	struct team_call *parts;
	uint32_t count, room;
};

/* The last region of a team: its threads but the first leave its end when they begin another region. */
struct region_end {
	bool is_open;
	uint64_t number; /* of the barrier */
	struct parallel_region row;
};

struct team {
	uint32_t threads;
	struct region_end end;
	ARRAY(uint64_t) passed; /* barriers, by thread */
	ARRAY(struct open_barrier) open;
};

/* Of one process. */
struct serial {
	struct occurrence join; /* no semantics: none */
	int64_t inside_ns;      /* in MPI calls since then */
	/* The last regions, the last one first. A thread may leave the end of one after the next has begun. */
	struct occurrence forks[2];
	/* The last task, and the last one of another thread than that. */
	struct occurrence tasks[2];
	struct team_load load;
};

struct teams {
	struct row_writer *rows;
	uint32_t process_count;
	struct cpu_share *cpus; /* by process; NULL: not wanted */
	struct serial *serials; /* by process */
	ARRAY(struct team) items;
	ARRAY(struct occurrence) unlocks; /* the last of each lock */
	struct map by_team, by_lock;      /* and process */
	ARRAY(struct team_member) members;
	struct map by_thread; /* and process */
};

static bool has_teams(const struct reader *reader)
{
	static const char *const names[] = {"omp_barrier", "omp_unlock", "omp_fork", "omp_taskwait"};

	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < sizeof names / sizeof *names; j++)
			if (process_calls(&reader->processes[i], names[j]))
				return true;
	return false;
}

static void *teams_new(const struct replay_input *input)
{
	struct teams *teams;

	if (!(wants_rows(input->rows, RELATION_TEAM_CALL) || wants_rows(input->rows, RELATION_TEAM_LOCK) ||
	      wants_rows(input->rows, RELATION_PARALLEL_REGION) ||
	      wants_rows(input->rows, RELATION_TEAM_LOAD) || wants_rows(input->rows, RELATION_TASK_WAIT) ||
	      wants_rows(input->rows, RELATION_SERIAL_PART)) ||
	    !has_teams(input->reader))
		return NULL;
	teams = memory_new(1, sizeof *teams);
	teams->rows = input->rows;
	teams->process_count = (uint32_t)input->reader->process_count;
	if (wants_rows(input->rows, RELATION_TEAM_LOAD))
		teams->cpus = cpu_shares(input->reader, input->session->nodes);
	teams->serials = memory_new(input->reader->process_count + 1, sizeof *teams->serials);
	return teams;
}

static bool wants_team(void *self, const struct call_semantics *semantics)
{
	(void)self;
	return semantics->kind->info != NULL;
}

static int64_t field_of(const struct occurrence *call, enum field_key key)
{
	return field_or(call->semantics->call, key, 0);
}

/* The threads of the team of a call. */
static uint32_t threads_of(const struct occurrence *call)
{
	int64_t count = field_of(call, FIELD_COUNT);

	return count > 0 && count <= UINT32_MAX ? (uint32_t)count : 1;
}

static struct team_member *find_member(struct teams *teams, const struct occurrence *call)
{
	uint32_t *number = map_put(&teams->by_thread, map_key(call->thread, call->semantics->process));

	if (*number == MAP_NONE) {
		*number = (uint32_t)teams->members.count;
		array_add(&teams->members, (struct team_member){.since = INT64_MIN, .team = MAP_NONE});
	}
	return &teams->members.items[*number];
}

/* Work */

/* The start of the region that a call is in. */
static int64_t region_start(const struct serial *serial, int64_t moment)
{
	for (size_t i = 0; i < sizeof serial->forks / sizeof *serial->forks; i++)
		if (serial->forks[i].semantics && serial->forks[i].start <= moment)
			return serial->forks[i].start;
	return INT64_MIN;
}

static int64_t work_until(const struct team_member *member, const struct serial *serial, int64_t moment)
{
	const int64_t since = max_ns(member->since, region_start(serial, moment));

	return since > INT64_MIN ? saturating_add(member->work_ns, max_ns(interval_ns(since, moment), 0))
	                         : member->work_ns;
}

/* The thread worked until this wait. */
static void end_work(struct team_member *member, const struct serial *serial, const struct occurrence *wait)
{
	member->work_ns = work_until(member, serial, wait->start);
	member->since = wait->end;
}

static int64_t take_work(struct team_member *member)
{
	const int64_t ns = member->work_ns - member->before_ns;

	member->before_ns = member->work_ns;
	return ns;
}

static void forget_calls(struct team_member *member)
{
	member->inside_ns = 0;
	member->longest.semantics = NULL;
	member->loop.begin.semantics = NULL;
	member->longest_loop.semantics = NULL;
	member->longest_ns = member->in_loops_ns = 0;
}

static void begin_region(struct teams *teams, struct serial *serial, const struct occurrence *fork)
{
	struct team_member *member = find_member(teams, fork);

	if (threads_of(fork) > serial->load.threads) {
		serial->load.fork = *fork;
		serial->load.threads = threads_of(fork);
	}
	serial->forks[1] = serial->forks[0];
	serial->forks[0] = *fork;
	member->since = fork->end;
	member->before_ns = member->work_ns;
	forget_calls(member);
}

/* The last barrier of its first thread was the end of the region. */
static void end_region(struct teams *teams, const struct serial *serial, const struct occurrence *join)
{
	struct team_member *member = find_member(teams, join);
	const struct occurrence *fork = &serial->forks[0];
	struct region_end *end;

	if (member->team == MAP_NONE || !fork->semantics || fork->thread != join->thread ||
	    member->barrier.start < fork->end)
		return;
	end = &teams->items.items[member->team].end;
	*end = (struct region_end){.is_open = true,
	                           .number = member->number,
	                           .row = {.fork = *fork,
	                                   .finish = member->barrier,
	                                   .threads = threads_of(fork),
	                                   .work = take_work(member)}};
}

/* Barriers */

static struct team *find_team(struct teams *teams, const struct occurrence *call)
{
	uint32_t *number = map_put(&teams->by_team,
	                           map_key((uint64_t)field_of(call, FIELD_TAG), call->semantics->process));

	if (*number == MAP_NONE) {
		*number = (uint32_t)teams->items.count;
		array_add(&teams->items, (struct team){.threads = threads_of(call)});
	}
	return &teams->items.items[*number];
}

static struct open_barrier *find_barrier(struct team *team, uint64_t number)
{
	for (size_t i = 0; i < team->open.count; i++)
		if (team->open.items[i].number == number)
			return &team->open.items[i];
	array_add(&team->open, (struct open_barrier){.number = number});
	return &team->open.items[team->open.count - 1];
}

/* No thread leaves before the last has arrived. */
static bool is_met(const struct open_barrier *barrier)
{
	int64_t latest = INT64_MIN, earliest = INT64_MAX;

	for (uint32_t i = 0; i < barrier->count; i++) {
		const struct occurrence *call = &barrier->parts[i].call;
		latest = call->start > latest ? call->start : latest;
		earliest = call->end < earliest ? call->end : earliest;
	}
	return latest <= earliest;
}

static void close_barrier(struct teams *teams, struct team *team, struct open_barrier *barrier)
{
	if (barrier->count == team->threads && is_met(barrier)) {
		struct parallel_region *region = team->end.is_open && team->end.number == barrier->number
		                                         ? &team->end.row
		                                         : NULL;
		if (region)
			region->is_short = region->work < (region->finish.end - region->fork.start) / 2;
		write_group(teams->rows, RELATION_TEAM_CALL,
		            &(struct team_barrier){.threads = team->threads,
		                                   .ends_short = region && region->is_short},
		            barrier->parts, barrier->count);
		if (region)
			write_row(teams->rows, RELATION_PARALLEL_REGION, region);
	}
	free(barrier->parts);
	*barrier = team->open.items[--team->open.count];
}

static void pass_barrier(struct teams *teams, const struct occurrence *call)
{
	struct team *team = find_team(teams, call);
	struct team_member *member = find_member(teams, call);
	struct open_barrier *barrier;
	int64_t place;

	/* Imported barriers have no numbers of members. */
	place = field_or(call->semantics->call, FIELD_THREAD, call->thread);
	if (place < 0 || place >= MEMBERS_MAX)
		return;
	array_extend(&team->passed, (size_t)place + 1);
	member->team = (uint32_t)(team - teams->items.items);
	member->number = team->passed.items[place]++;
	member->barrier = *call;
	if (team->end.is_open && team->end.number == member->number)
		team->end.row.work = saturating_add(team->end.row.work, take_work(member));
	barrier = find_barrier(team, member->number);
	array_fit(barrier->parts, barrier->room, barrier->count + 1u);
	barrier->parts[barrier->count++] = (struct team_call){
		.call = *call,
		.thread = call->thread,
		.inside = member->inside_ns,
		.longest = member->longest.semantics ? member->longest : *call,
		.in_loops = member->in_loops_ns,
		.loop = member->longest_loop.semantics ? member->longest_loop : *call};
	forget_calls(member);
	if (barrier->count >= team->threads)
		close_barrier(teams, team, barrier);
	else if (team->open.count > OPEN_MAX)
		close_barrier(teams, team, &team->open.items[0]);
}

/* Loops */

static void begin_loop(struct team_member *member, const struct serial *serial, const struct occurrence *call)
{
	member->loop = (struct open_loop){
		.begin = *call, .work_ns = work_until(member, serial, call->start) - member->inside_ns};
}

/* A loop that contains a region with loops is not known any more. */
static void end_loop(struct team_member *member, const struct serial *serial, const struct occurrence *call)
{
	const int64_t ns = work_until(member, serial, call->start) - member->inside_ns - member->loop.work_ns;

	if (!member->loop.begin.semantics)
		return;
	if (!member->longest_loop.semantics || ns > member->longest_ns) {
		member->longest_loop = member->loop.begin;
		member->longest_ns = ns;
	}
	member->in_loops_ns = saturating_add(member->in_loops_ns, ns);
	member->loop.begin.semantics = NULL;
}

/* Locks */

static struct occurrence *find_unlock(struct teams *teams, const struct occurrence *call)
{
	uint32_t *number = map_put(&teams->by_lock,
	                           map_key((uint64_t)field_of(call, FIELD_MUTEX), call->semantics->process));

	if (*number == MAP_NONE) {
		*number = (uint32_t)teams->unlocks.count;
		array_add(&teams->unlocks, (struct occurrence){0});
	}
	return &teams->unlocks.items[*number];
}

/* The thread that released it last, during the wait, is the one that was waited for. */
static void take_lock(struct teams *teams, const struct occurrence *call, bool is_critical)
{
	const struct occurrence *last = find_unlock(teams, call);
	bool had_to_wait = last->semantics && last->thread != call->thread && last->end > call->start &&
	                   last->end <= call->end;

	write_row(teams->rows, RELATION_TEAM_LOCK,
	          &(struct team_lock){.call = *call,
	                              .before = had_to_wait ? *last : *call,
	                              .thread = call->thread,
	                              .holder = had_to_wait ? last->thread : call->thread,
	                              .threads = threads_of(call),
	                              .is_critical = is_critical});
}

/* Tasks */

static void note_task(struct serial *serial, const struct occurrence *task)
{
	if (serial->tasks[0].semantics && serial->tasks[0].thread != task->thread)
		serial->tasks[1] = serial->tasks[0];
	serial->tasks[0] = *task;
}

static void take_task_wait(struct teams *teams, const struct serial *serial, const struct occurrence *call)
{
	const struct occurrence *last =
		&serial->tasks[serial->tasks[0].semantics && serial->tasks[0].thread == call->thread];
	const bool is_known = last->semantics && last->end > call->start && last->end <= call->end;

	write_row(teams->rows, RELATION_TASK_WAIT,
	          &(struct task_wait){.call = *call,
	                              .last = is_known ? *last : *call,
	                              .thread = call->thread,
	                              .holder = is_known ? last->thread : call->thread,
	                              .threads = threads_of(call)});
}

/* Between parallel regions */

static void end_serial(struct teams *teams, struct serial *serial, const struct occurrence *fork)
{
	if (serial->join.semantics && serial->join.thread == fork->thread && serial->join.end < fork->start)
		write_row(teams->rows, RELATION_SERIAL_PART,
		          &(struct serial_part){.join = serial->join,
		                                .fork = *fork,
		                                .threads = threads_of(fork),
		                                .inside = serial->inside_ns});
	serial->join = (struct occurrence){0};
}

/* In parallel regions threads other than the caller wait for it, between them they are idle. */
static void call_mpi(struct teams *teams, struct serial *serial, const struct occurrence *call)
{
	struct team_member *member = find_member(teams, call);
	const int64_t length = interval_ns(call->start, call->end);

	if (serial->join.semantics && call->thread == serial->join.thread)
		serial->inside_ns = saturating_add(serial->inside_ns, length);
	member->inside_ns = saturating_add(member->inside_ns, length);
	if (!member->longest.semantics || length > interval_ns(member->longest.start, member->longest.end))
		member->longest = *call;
}

/* A thread that worked until a wait, or in a task, may have had no CPU. */
static void note_delay(struct serial *serial, const struct call_info *info, const struct event *event)
{
	int64_t us = (int64_t)event->delay_before + (delays_computing(info) ? event->delay_inside : 0);

	serial->load.delay = saturating_add(serial->load.delay, us * NS_PER_US);
}

static void follow_team(void *self, const struct occurrence *call, const struct event *event)
{
	struct teams *teams = self;
	struct serial *serial = &teams->serials[call->semantics->process];

	switch (call->semantics->kind->info - all_calls) {
	case CALL_omp_barrier:
		note_delay(serial, call->semantics->kind->info, event);
		end_work(find_member(teams, call), serial, call);
		pass_barrier(teams, call);
		break;
	case CALL_omp_critical:
	case CALL_omp_lock:
		note_delay(serial, call->semantics->kind->info, event);
		end_work(find_member(teams, call), serial, call);
		take_lock(teams, call, call->semantics->kind->info == &all_calls[CALL_omp_critical]);
		break;
	case CALL_omp_taskwait:
		note_delay(serial, call->semantics->kind->info, event);
		end_work(find_member(teams, call), serial, call);
		take_task_wait(teams, serial, call);
		break;
	case CALL_omp_task:
		note_delay(serial, call->semantics->kind->info, event);
		note_task(serial, call);
		break;
	case CALL_omp_unlock:
		*find_unlock(teams, call) = *call;
		break;
	case CALL_omp_loop:
		note_delay(serial, call->semantics->kind->info, event);
		begin_loop(find_member(teams, call), serial, call);
		break;
	case CALL_omp_loop_end:
		note_delay(serial, call->semantics->kind->info, event);
		end_loop(find_member(teams, call), serial, call);
		break;
	case CALL_omp_fork:
		end_serial(teams, serial, call);
		begin_region(teams, serial, call);
		break;
	case CALL_omp_join:
		end_region(teams, serial, call);
		serial->join = *call;
		serial->inside_ns = 0;
		break;
	default:
		call_mpi(teams, serial, call);
	}
}

static void lose_team(void *self, uint32_t process)
{
	struct serial *serial = &((struct teams *)self)->serials[process];

	*serial = (struct serial){.load = serial->load};
}

static void write_loads(struct teams *teams)
{
	for (uint32_t i = 0; i < teams->process_count && teams->cpus; i++) {
		struct team_load *load = &teams->serials[i].load;
		if (!load->threads)
			continue;
		load->cpus = teams->cpus[i].cpus;
		load->wanted = (uint32_t)fmin(load->threads * teams->cpus[i].sharers + 0.5, UINT32_MAX);
		write_row(teams->rows, RELATION_TEAM_LOAD, load);
	}
}

static void finish_teams(void *self)
{
	struct teams *teams = self;

	write_loads(teams);
	for (size_t i = 0; i < teams->items.count; i++) {
		struct team *team = &teams->items.items[i];
		/* Some thread never reached these. */
		for (size_t j = 0; j < team->open.count; j++)
			free(team->open.items[j].parts);
		array_release(&team->open);
		array_release(&team->passed);
	}
	array_release(&teams->items);
	array_release(&teams->unlocks);
	map_release(&teams->by_team);
	map_release(&teams->by_lock);
	map_release(&teams->by_thread);
	array_release(&teams->members);
	free(teams->serials);
	free(teams->cpus);
	free(teams);
}

const struct follower team_follower = {.new = teams_new,
                                       .wants = wants_team,
                                       .call = follow_team,
                                       .paused = lose_team,
                                       .lost = lose_team,
                                       .finish = finish_teams};
