#include "job/record/recording_session.h"

#include "base/disclosure.h"
#include "base/files.h"
#include "base/machine.h"
#include "base/settings.h"
#include "base/shell.h"
#include "job/mpi/world.h"
#include "job/record/clocks.h"
#include "job/record/file_summaries.h"
#include "job/record/merge.h"
#include "job/record/near_callers.h"
#include "job/record/other_threads.h"
#include "job/record/part.h"
#include "job/record/probes.h"
#include "job/record/process.h"
#include "job/record/processor_time.h"
#include "job/record/shmem.h"
#include "job/record/upc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 1 << 16, VALUE_MAX = 4096 };

static void describe_arguments(void)
{
	char *text = malloc(ARGUMENTS_MAX);
	ssize_t size = text ? read_small_file(AT_FDCWD, "/proc/self/cmdline", text, ARGUMENTS_MAX) : 0;
	char masked[VALUE_MAX];
	bool is_secret = false;

	for (const char *at = text; size > 0 && at < text + size; at += strlen(at) + 1)
		process_property("arg", argument_disclose(at, &is_secret, masked, sizeof masked));
	free(text);
}

/* The CPUs of the process as ranges ("0-3,8"), and their core, NUMA node and socket, if all are on the same one. */
static void describe_processors(void)
{
	char list[VALUE_MAX] = "", number[32];
	size_t length = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE && length < sizeof list - 32; cpu++) {
		int last = cpu;
		if (!CPU_ISSET(cpu, &set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
			last++;
		length += (size_t)snprintf(list + length, sizeof list - length,
		                           last > cpu ? "%s%d-%d" : "%s%d", length ? "," : "", cpu, last);
		cpu = last;
	}
	process_property("cpus", list);
	for (int i = 0; i < PROCESSOR_GROUPS; i++) {
		int64_t lowest = processor_group_of(MACHINE_DEVICES, list, (enum processor_group)i);

		if (lowest < 0)
			continue;
		snprintf(number, sizeof number, "%" PRId64, lowest);
		process_property(processor_group_names[i], number);
	}
}

static const char *launcher(void)
{
	static const struct {
		const char *variable, *name;
	} known[] = {{"OMPI_COMM_WORLD_SIZE", "mpirun (Open MPI)"},
	             {"SLURM_STEP_ID", "srun"},
	             {"PMI_FD", "mpiexec (Hydra)"}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (getenv(known[i].variable))
			return known[i].name;
	return "none";
}

static void describe_process(void)
{
	char text[PATH_MAX] = "", machine[MACHINE_TEXT];
	ssize_t length = readlink("/proc/self/exe", text, sizeof text - 1);

	text[length > 0 ? length : 0] = '\0';
	process_property("program", text);
	if (getcwd(text, sizeof text))
		process_property("cwd", text);
	if (gethostname(text, sizeof text - 1) == 0)
		process_property("host", text);
	if (machine_identity(machine))
		process_property("node", machine);
	snprintf(text, sizeof text, "%d", (int)getpid());
	process_property("pid", text);
	process_property("tarry", TARRY_VERSION);
	process_property("launcher", launcher());
	snprintf(text, sizeof text, "%u", host_path_depth());
	if (process.has_mpi)
		process_property("callpath", near_callers_are_wanted() ? "short" : text);
	selection_describe();
	describe_processors();
	describe_arguments();
	for (char **variable = environ; variable && *variable; variable++) {
		char line[VALUE_MAX];
		size_t name = strcspn(*variable, "=");
		enum disclosure disclosure = variable_disclosure(*variable, name);
		if (disclosure == DISCLOSE_NOTHING)
			continue;
		if (disclosure == DISCLOSE_NAME)
			snprintf(line, sizeof line, "%.*s=" DISCLOSURE_MASK, (int)name, *variable);
		else
			snprintf(line, sizeof line, "%s", *variable);
		process_property("env", line);
	}
}

/* The node's processor time at the start. */
static struct processor_time processors_at_start;
static bool knows_processors;

void recording_begin(int rank, int size)
{
	int common = 0;
	uint64_t world = world_identity(process.run, size, &common);

	/* Launchers of UPC give no information. The number of the `tarry run` identifies the world. */
	if (!common && !process.has_mpi) {
		world = process.run ? world : world_of_group(size);
		common = 1;
	}
	if (!common && size > 1 && process.run)
		process_note(
			"the launcher is unknown, or not visible to the processes: all %d such processes are treated as one world",
			size);
	else if (!common && size > 1)
		process_note(
			"process %d cannot find the other processes of its world: the launcher is unknown",
			rank);
	process_identify(world_claim(part_folder(), world, rank), (uint32_t)rank, (uint32_t)size);
	knows_processors = processor_time_read(PROCESSOR_TIME_FILE, &processors_at_start);
	clocks_begin();
	describe_process();
	file_summaries_describe();
}

struct rank_state *recording_join(int rank)
{
	struct rank_state *rank_state = rank_state_add((uint32_t)rank);

	if (!rank_state) {
		process_note(
			"UPC thread %d is not recorded: no memory or disk space is left for it; give a larger --buffer, or free space where the trace is written",
			rank);
		return NULL;
	}
	world_claim(part_folder(), process.world, rank);
	process_write_only(rank_state);
	clocks_join();
	describe_process();
	process_write_only(NULL);
	return rank_state;
}

static void write_us(const char *property, uint64_t us)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)us);
	process_property(property, text);
}

/* "computing=MICROSECONDS cycles=COUNT instructions=COUNT", as far as they are known. The caller holds the lock. */
static void write_counters(const struct counter_sums *sums)
{
	char text[32 * (COUNTERS + 1)];
	size_t length = (size_t)snprintf(text, sizeof text, "computing=%.0f",
	                                 (double)sums->ticks * 1e6 / (double)timer.rate);

	for (int i = 0; i < COUNTERS; i++)
		if (sums->known & 1u << i)
			length += (size_t)snprintf(text + length, sizeof text - length, " %s=%" PRIu64,
			                           counter_names[i], sums->counts[i]);
	if (sums->known)
		process_property("counters", text);
}

static void finish(void)
{
	if (process.has_mpi)
		other_threads_conclude();
	probes_stop();
	openmp_stop();
	clocks_end();
	process_lock(); /* other threads may still need a chunk */
	upc_stop();
	shmem_stop();
	/* Writes sums, so that analyses need not read all events. The caller holds the lock. */
	for (struct rank_state *rank_state = &first_rank; rank_state; rank_state = rank_state->next) {
		process_write_only(rank_state);
		write_us("scheduling_delay", __atomic_load_n(&rank_state->delay_us, __ATOMIC_RELAXED));
		write_us("overhead", __atomic_load_n(&rank_state->overhead_ns, __ATOMIC_RELAXED) / 1000);
		write_counters(&rank_state->counters);
	}
	process_write_only(&first_rank);
	file_summaries_write();
	process_write_only(NULL);
	/* Writes the processor time that the host took from the node. */
	struct processor_time now;
	char text[48];
	if (knows_processors && processor_time_read(PROCESSOR_TIME_FILE, &now) &&
	    now.steal >= processors_at_start.steal && now.total > processors_at_start.total) {
		snprintf(text, sizeof text, "%llu/%llu",
		         (unsigned long long)(now.steal - processors_at_start.steal),
		         (unsigned long long)(now.total - processors_at_start.total));
		process_property("steal", text);
	}
	selection_conclude();
	streams_close();
	process_close();
	process_unlock();
}

/* Leaves the part. Without `tarry run`, the last process of the job writes the trace. */
static void leave(void)
{
	const bool is_own_job = !setting_get(SETTING_RUN);
	char quoted[PATH_MAX];
	bool finished, last;

	process_lock();
	finished = part_finish(is_own_job, &last);
	process_unlock();
	if (!finished && process.identified)
		process_note("process %u could not finish its part: %s; run: tarry recover %s", process.rank,
		             strerror(errno), shell_quote(process.output, quoted, sizeof quoted));
	else if (finished && is_own_job && last)
		merge_if_last(process.output, part_folder(), part_name());
	process_lock(); /* a thread may still record after MPI_Finalize */
	part_close();
	process_unlock();
}

static bool is_under_way(void)
{
	bool is_open;

	if (!process.output)
		return false;
	process_lock();
	is_open = part_is_open();
	process_unlock();
	return is_open;
}

void recording_end(void)
{
	if (!process.identified || !is_under_way())
		return;
	finish();
	leave();
}

/* Programs that use only sessions never call MPI_Finalize; other programs may exit without it. */
__attribute__((destructor)) static void finish_at_exit(void)
{
	upc_identify();
	if (!process_lock_in_time())
		return;
	process_unlock(); /* process_lock_in_time() has shown that it is free */
	recording_end();
	/* The process has no rank, but must leave the part, because other processes wait for it. */
	if (is_under_way())
		leave();
}
