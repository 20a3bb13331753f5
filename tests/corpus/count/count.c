#include "count.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What an object is, kept in the linker's cookie for it. */
enum { OTHERS, PROGRAM };

static struct counts *counts;
static void *targets[SLOTS];
static const struct sender *senders[SLOTS];
static int slot_count;
static const char *mpi_path;
static void *mpi_library; /* opened when it is wanted */

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* A process that never calls MPI, such as a shell of the job, leaves no file. */
static bool open_counts(void)
{
	const char *folder = getenv("CORPUS_COUNTS");
	char path[4096];
	int fd;

	if (counts || !folder)
		return counts;
	snprintf(path, sizeof(path), "%s/%d.counts", folder, (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return false;
	if (ftruncate(fd, sizeof(*counts)) == 0) {
		void *file = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		counts = file == MAP_FAILED ? NULL : file;
	}
	close(fd);
	return counts;
}

static int find_slot(const char *name, void *target)
{
	for (int i = 0; i < slot_count; i++)
		if (targets[i] == target && strncmp(counts->name[i], name, NAME_BYTES) == 0)
			return i;
	if (slot_count == SLOTS || strlen(name) >= NAME_BYTES) {
		counts->lost++;
		return -1;
	}
	memcpy(counts->name[slot_count], name, strlen(name) + 1);
	targets[slot_count] = target;
	senders[slot_count] = sender_find(name);
	return slot_count++;
}

unsigned int la_version(unsigned int version)
{
	(void)version;
	return LAV_CURRENT;
}

/* Counts calls from the program and its libraries to the MPI library, or to the recorder in front of it; not calls
 * between the recorder and the MPI library. */
unsigned int la_objopen(struct link_map *map, Lmid_t lmid, uintptr_t *cookie)
{
	const char *slash = strrchr(map->l_name, '/'), *name = slash ? slash + 1 : map->l_name;

	if (begins(name, "libmpi.") || begins(name, "libmpich."))
		mpi_path = map->l_name;
	*cookie = OTHERS;
	if (lmid != LM_ID_BASE || begins(name, "mca_"))
		return 0;
	if (begins(name, "libmpi") || begins(name, "libtarry-"))
		return LA_FLG_BINDTO;
	*cookie = PROGRAM;
	return LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *caller, uintptr_t *callee,
                       unsigned int *flags, const char *name)
{
	const size_t thunk_bytes = (size_t)(count_thunks_end - count_thunks) / SLOTS;
	static pthread_mutex_t binding = PTHREAD_MUTEX_INITIALIZER; /* threads bind on their own */
	int slot = -1;

	(void)index, (void)callee, (void)flags;
	if (*caller != PROGRAM || (!begins(name, "MPI_") && !begins(name, "mpi_")))
		return symbol->st_value;
	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC)
		return symbol->st_value;
	pthread_mutex_lock(&binding);
	if (open_counts())
		slot = find_slot(name, (void *)symbol->st_value);
	pthread_mutex_unlock(&binding);
	return slot < 0 ? symbol->st_value : (uintptr_t)count_thunks + (size_t)slot * thunk_bytes;
}

static int find_thread(void)
{
	const int64_t id = gettid();

	for (int i = 0; i < THREADS; i++) {
		int64_t found = __atomic_load_n(&counts->thread_id[i], __ATOMIC_ACQUIRE);

		if (!found && __atomic_compare_exchange_n(&counts->thread_id[i], &found, id, false,
		                                          __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return i;
		if (found == id)
			return i;
	}
	return -1;
}

/* The program's own. Opening it once more also makes it ready to be searched by itself. */
static void *open_mpi(void)
{
	if (!mpi_library && mpi_path)
		mpi_library = dlmopen(LM_ID_BASE, mpi_path, RTLD_LAZY | RTLD_NOLOAD);
	return mpi_library;
}

void *count_call(uint64_t slot, const uint64_t *registers, const uint64_t *stack)
{
	const struct arguments arguments = {registers, stack};
	const int thread = find_thread();

	if (thread >= 0)
		__atomic_fetch_add(&counts->calls[thread][slot], 1, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(&counts->lost, 1, __ATOMIC_RELAXED);
	if (senders[slot] && open_mpi())
		sender_count(senders[slot], &arguments, mpi_library, counts);
	return targets[slot];
}
