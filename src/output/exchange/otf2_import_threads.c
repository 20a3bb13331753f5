/* Teams of OpenMP threads: what an archive tells of their barriers, critical sections, locks and parallel regions becomes calls of their own
 * (src/calls/omp.calls). The regions stay what they are, the user's. */
#include "output/exchange/otf2_import_events.h"

/* A call that is over, of this duration. It is where the construct is, which is the innermost region. */
static void put_team_call(struct thread_reader *reader, const char *function, uint64_t start, uint64_t end,
                          const struct draft_field *fields, size_t count)
{
	const struct open_region *around = reader->depth ? &reader->regions.items[reader->depth - 1] : NULL;
	const struct place_item place = around && around->region && around->region->is_openmp
	                                        ? around->region->place
	                                        : (struct place_item){0};
	struct open_region *open = open_region(reader, start);

	open->function = function;
	open->place = place;
	for (size_t i = 0; i < count; i++)
		array_add(&open->fields, fields[i]);
	close_region(reader, end);
}

static struct joined_team *innermost_team(struct thread_reader *reader)
{
	return reader->teams.count ? &reader->teams.items[reader->teams.count - 1] : NULL;
}

/* 1: it is in no team. */
static int64_t threads_of_team(struct thread_reader *reader)
{
	const struct joined_team *team = innermost_team(reader);

	return team ? team->threads : 1;
}

void put_team_barrier(struct thread_reader *reader, const struct open_region *open, uint64_t time)
{
	const struct joined_team *team = innermost_team(reader);
	const struct draft_field fields[] = {{.key = FIELD_TAG, .value = team ? team->comm : 0},
	                                     {.key = FIELD_COUNT, .value = team ? team->threads : 1}};

	if (team && time >= open->start)
		put_team_call(reader, "omp_barrier", open->start, time, fields, 2);
}

static OTF2_CallbackCode take(struct thread_reader *reader, uint64_t time)
{
	reader->last_time = time;
	return reader->im->status == OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

EVENT_CALLBACK(on_team_begin, OTF2_CommRef ref)
{
	struct thread_reader *reader = context;
	const struct comm_item *comm = item_get(&reader->im->contents.comms, ref);
	const struct group_item *group = item_get(&reader->im->contents.groups, comm->local);

	array_add(&reader->teams,
	          (struct joined_team){.comm = ref, .threads = group->count ? group->count : 1});
	return take(reader, time);
}

EVENT_CALLBACK(on_team_end, UNUSED OTF2_CommRef ref)
{
	struct thread_reader *reader = context;

	if (reader->teams.count)
		reader->teams.count--;
	return take(reader, time);
}

/* Parallel regions inside others are not counted: their teams are other ones. */
EVENT_CALLBACK(on_fork, OTF2_Paradigm paradigm, uint32_t threads)
{
	struct thread_reader *reader = context;
	const struct draft_field count = {.key = FIELD_COUNT, .value = threads};

	if (!reader->forks++ && paradigm == OTF2_PARADIGM_OPENMP)
		put_team_call(reader, "omp_fork", time, time, &count, 1);
	return take(reader, time);
}

EVENT_CALLBACK(on_join, OTF2_Paradigm paradigm)
{
	struct thread_reader *reader = context;

	if (reader->forks && !--reader->forks && paradigm == OTF2_PARADIGM_OPENMP)
		put_team_call(reader, "omp_join", time, time, NULL, 0);
	return take(reader, time);
}

/* Other processes have locks of the same number. */
static struct draft_field lock_field(const struct thread_reader *reader, uint32_t lock)
{
	return (struct draft_field){.key = FIELD_MUTEX,
	                            .value = (int64_t)(((uint64_t)reader->process->rank + 1) << 32 | lock)};
}

/* The thread has waited since it entered the innermost region: the critical construct, or the function that takes a lock. */
EVENT_CALLBACK(on_acquire, OTF2_Paradigm paradigm, uint32_t lock, UNUSED uint32_t order)
{
	struct thread_reader *reader = context;
	const struct open_region *around = reader->depth ? &reader->regions.items[reader->depth - 1] : NULL;
	bool is_known = around && around->region && around->region->is_openmp && around->start <= time;
	const struct draft_field fields[] = {lock_field(reader, lock),
	                                     {.key = FIELD_COUNT, .value = threads_of_team(reader)}};

	if (paradigm == OTF2_PARADIGM_OPENMP)
		put_team_call(reader, is_known && around->region->is_critical ? "omp_critical" : "omp_lock",
		              is_known ? around->start : time, time, fields, 2);
	return take(reader, time);
}

EVENT_CALLBACK(on_release, OTF2_Paradigm paradigm, uint32_t lock, UNUSED uint32_t order)
{
	struct thread_reader *reader = context;
	const struct draft_field mutex = lock_field(reader, lock);

	if (paradigm == OTF2_PARADIGM_OPENMP)
		put_team_call(reader, "omp_unlock", time, time, &mutex, 1);
	return take(reader, time);
}

void set_team_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
	OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
	OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
	OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
	OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
	OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire);
	OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release);
}
