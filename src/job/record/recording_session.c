#include "job/record/recording_session.h"

#include "base/settings.h"
#include "job/record/clocks.h"
#include "job/record/describe.h"
#include "job/record/merge.h"
#include "job/record/probes.h"
#include "job/record/process.h"
#include "job/record/upc.h"
#include "job/record/world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void identify(int rank, int size)
{
	int common = 0;
	uint64_t world = world_identity(process.run, size, &common);

	/* Launchers of UPC are not known at all; one `tarry run` is told from another by its own number. */
	if (!common && !process.has_mpi) {
		world = process.run ? world : world_of_group(size);
		common = 1;
	}
	if (!common && size > 1 && process.run)
		process_note("the launcher is not known, or not to be seen from where the processes run: all "
		             "%d that say so are taken for one world",
		             size);
	else if (!common && size > 1)
		process_note(
			"process %d cannot tell which others belong to its world: the launcher is not known",
			rank);
	process_identify(world_claim(world, rank), (uint32_t)rank, (uint32_t)size);
}

void recording_begin(int rank, int size)
{
	identify(rank, size);
	clocks_begin();
	describe_process();
}

struct rank_state *recording_join(int rank)
{
	struct rank_state *rank_state = rank_state_add((uint32_t)rank);

	if (!rank_state) {
		process_note(
			"thread %d of UPC is not recorded: no memory or disk space is left for it; give a larger "
			"--buffer, or make room where the trace is written",
			rank);
		return NULL;
	}
	world_claim(process.world, rank);
	process_tell_of(rank_state);
	clocks_join();
	describe_process();
	process_tell_of(NULL);
	return rank_state;
}

static void tell_us(const char *property, uint64_t us)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)us);
	process_property(property, text);
}

/* Who analyses need not read all events to know. The caller holds the lock. */
static void tell_losses(void)
{

	for (struct rank_state *rank_state = &first_rank; rank_state; rank_state = rank_state->next) {
		process_tell_of(rank_state);
		tell_us("stolen", __atomic_load_n(&rank_state->delay_us, __ATOMIC_RELAXED));
		tell_us("overhead", __atomic_load_n(&rank_state->overhead_ns, __ATOMIC_RELAXED) / 1000);
	}
	process_tell_of(NULL);
}

static void finish(void)
{
	bool finished;

	probes_stop();
	clocks_end();
	process_lock(); /* other threads may still want a chunk */
	upc_stop();
	tell_losses();
	streams_close();
	process_close();
	finished = part_finish(process.world, process.rank, rank_state_count() - 1);
	process_unlock();
	if (!finished)
		process_note("process %u could not finish its part: %s; run 'tarry recover %s'", process.rank,
		             strerror(errno), process.output);
	else if (!getenv(SETTING_RUN))
		merge_if_last(process.output, part_folder(), process.world, process.size);
	part_close();
}

static bool is_under_way(void)
{
	return process.identified && process.output && part_is_open();
}

void recording_end(void)
{
	if (is_under_way())
		finish();
}

/* Programs that use sessions alone never call MPI_Finalize, and others may exit without it. */
__attribute__((destructor)) static void finish_at_exit(void)
{
	upc_identify();
	if (!is_under_way() || !process_lock_in_time())
		return;
	process_unlock(); /* it is free: nobody keeps it who never gives it back */
	finish();
}
