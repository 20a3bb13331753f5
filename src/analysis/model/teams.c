/* Teams of OpenMP threads: barriers, waits for locks, and the serial part of a
 * process between two parallel regions, when its other threads are idle. All of it is within one process,
 * whose threads share a clock.
 *
 * The n-th barrier of a thread in a team matches the n-th of the others. If a trace lacks some barriers,
 * wrong ones would match: calls that do not overlap are not a barrier, and are ignored. Memory is needed for
 * barriers that some thread has not left. */
#include "analysis/model/follower.h"
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Limit if a thread never arrives. */
enum { OPEN_MOST = 256 };
/* Damaged traces may have any number. */
enum { MEMBERS_MOST = 1 << 16 };

struct open_barrier {
	uint64_t number; /* among those of the team */
	struct team_call *parts;
	uint32_t count, room;
};

struct team {
	uint32_t threads;
	ARRAY(uint64_t) passed; /* barriers, by thread */
	ARRAY(struct open_barrier) open;
};

/* Of one process. */
struct serial {
	struct occurrence join; /* no semantics: none */
	int64_t inside_ns;      /* in MPI calls since then */
};

struct teams {
	struct row_writer *rows;
	struct serial *serials; /* by process */
	ARRAY(struct team) items;
	ARRAY(struct occurrence) unlocks; /* the last of each lock */
	struct map by_team, by_lock;      /* and process */
};

static bool has_teams(const struct reader *reader)
{
	static const char *const names[] = {"omp_barrier", "omp_unlock", "omp_fork"};

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
	      wants_rows(input->rows, RELATION_SERIAL_PART)) ||
	    !has_teams(input->reader))
		return NULL;
	teams = memory_new(1, sizeof *teams);
	teams->rows = input->rows;
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
	if (barrier->count == team->threads && is_met(barrier))
		write_group(teams->rows, RELATION_TEAM_CALL, &(struct team_barrier){.threads = team->threads},
		            barrier->parts, barrier->count);
	free(barrier->parts);
	*barrier = team->open.items[--team->open.count];
}

static void pass_barrier(struct teams *teams, const struct occurrence *call)
{
	struct team *team = find_team(teams, call);
	struct open_barrier *barrier;
	int64_t member;

	/* Imported barriers have no numbers of members. */
	member = field_or(call->semantics->call, FIELD_THREAD, call->thread);
	if (member < 0 || member >= MEMBERS_MOST)
		return;
	array_extend(&team->passed, (size_t)member + 1);
	barrier = find_barrier(team, team->passed.items[member]++);
	array_fit(barrier->parts, barrier->room, barrier->count + 1u);
	barrier->parts[barrier->count++] = (struct team_call){.call = *call, .thread = call->thread};
	if (barrier->count >= team->threads)
		close_barrier(teams, team, barrier);
	else if (team->open.count > OPEN_MOST)
		close_barrier(teams, team, &team->open.items[0]);
}

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

static void follow_team(void *self, const struct occurrence *call, const struct event *event)
{
	struct teams *teams = self;
	struct serial *serial = &teams->serials[call->semantics->process];

	(void)event;
	switch (call->semantics->kind->info - all_calls) {
	case CALL_omp_barrier:
		pass_barrier(teams, call);
		break;
	case CALL_omp_critical:
	case CALL_omp_lock:
		take_lock(teams, call, call->semantics->kind->info == &all_calls[CALL_omp_critical]);
		break;
	case CALL_omp_unlock:
		*find_unlock(teams, call) = *call;
		break;
	case CALL_omp_fork:
		end_serial(teams, serial, call);
		break;
	case CALL_omp_join:
		*serial = (struct serial){.join = *call};
		break;
	default:
		if (serial->join.semantics && call->thread == serial->join.thread)
			serial->inside_ns += call->end - call->start;
	}
}

static void lose_team(void *self, uint32_t process)
{
	((struct teams *)self)->serials[process] = (struct serial){0};
}

static void finish_teams(void *self)
{
	struct teams *teams = self;

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
	free(teams->serials);
	free(teams);
}

const struct follower team_follower = {.new = teams_new,
                                       .wants = wants_team,
                                       .call = follow_team,
                                       .paused = lose_team,
                                       .lost = lose_team,
                                       .finish = finish_teams};
