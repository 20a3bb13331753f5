#include "job/mpi/host.h"

#include "base/notes.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct checked_process checked = {
	.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
	.folder_file = {.fd = -1},
	.rank = UINT32_MAX,
};

_Thread_local struct agent_thread *agent_self __attribute__((tls_model("initial-exec")));

int agent_folder(void)
{
	/* The program may have closed the descriptor. */
	if (checked.folder && !held_file_is_ours(&checked.folder_file))
		held_file_take(&checked.folder_file, private_folder_find(checked.folder));
	return held_file_is_ours(&checked.folder_file) ? checked.folder_file.fd : -1;
}

static void write_note(const char *format, va_list args)
{
	char sentence[400];
	int folder, before;

	/* If the thread were cancelled here, it would keep its locks. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	vsnprintf(sentence, sizeof sentence, format, args);
	folder = agent_folder();
	if (folder >= 0)
		note_write_at(folder, sentence);
	pthread_setcancelstate(before, NULL);
}

void host_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_note(format, args);
	va_end(args);
}

void agent_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_note(format, args);
	va_end(args);
}

uint32_t host_rank(void)
{
	return checked.rank;
}

uint32_t host_path_depth(void)
{
	return CALLPATH_DEFAULT;
}

void agent_step_aside(const char *reason)
{
	static bool noted;

	RELAXED_STORE(checked.phase, AGENT_OFF);
	if (__atomic_exchange_n(&noted, true, __ATOMIC_RELAXED))
		return;
	if (checked.rank == UINT32_MAX)
		agent_note("a process is not checked: %s", reason);
	else
		agent_note("process %u is no longer checked: %s", checked.rank, reason);
}

void *host_table(size_t count, size_t size)
{
	static bool noted;
	void *memory = calloc(count, size);

	if (!memory && !__atomic_exchange_n(&noted, true, __ATOMIC_RELAXED))
		agent_step_aside("out of memory");
	return memory;
}

void *host_claim(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void host_give_back(void *memory, size_t bytes)
{
	munmap(memory, bytes);
}

void host_lock(void)
{
	pthread_mutex_lock(&checked.lock);
}

void host_unlock(void)
{
	pthread_mutex_unlock(&checked.lock);
}

void host_module(uint64_t number, const struct module_description *module)
{
	place_module(number, module->path, module->build_id, module->build_id_bytes, false);
}

void host_python_code(uint64_t number, const char *function, const char *path)
{
	(void)function;
	place_module(number, path, NULL, 0, true);
}

void host_unloaded(void)
{
	__atomic_add_fetch(&checked.generation, 1, __ATOMIC_RELAXED);
}
