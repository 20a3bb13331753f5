#include "job/mpi/host.h"

#include "base/settings.h"
#include "job/mpi/nesting.h"
#include "job/record/process.h"
#include "job/record/stream.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BUILD_ID_BYTES_MAX = 64 };

void host_note(const char *format, ...)
{
	char sentence[400];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	process_note("%s", sentence);
}

uint32_t host_rank(void)
{
	return process.rank;
}

uint32_t host_path_depth(void)
{
	static int depth = -1;
	const char *setting;

	if (depth < 0) {
		setting = setting_get(SETTING_CALLPATH);
		long wanted = setting ? strtol(setting, NULL, 10) : 0;
		depth = wanted < 0 ? 0 : wanted > CALLPATH_MAX ? CALLPATH_MAX : (int)wanted;
	}
	return (uint32_t)depth;
}

void *host_table(size_t count, size_t size)
{
	return process_table(count, size);
}

void *host_claim(size_t bytes)
{
	return process_claim(bytes);
}

void host_give_back(void *memory, size_t bytes)
{
	process_give_back(memory, bytes);
}

void host_lock(void)
{
	process_lock();
}

void host_unlock(void)
{
	process_unlock();
}

void host_module(uint64_t number, const struct module_description *module)
{
	process_write(RECORD_MODULE, &(struct module){.number = number,
	                                              .base = module->base,
	                                              .size = module->bytes,
	                                              .build_id = module->build_id,
	                                              .build_id_size = module->build_id_bytes,
	                                              .path = module->path});
	if (!module->build_id_bytes) {
		/* Identifies a file that has no build-id. */
		struct stat info;
		if (stat(module->path, &info) == 0)
			process_write(RECORD_STAMP,
			              &(struct stamp){number, (uint64_t)info.st_size,
			                              (uint64_t)info.st_mtim.tv_sec * 1000000000u +
			                                      (uint64_t)info.st_mtim.tv_nsec});
	}
}

void host_python_code(uint64_t number, const char *function, const char *path)
{
	process_write(RECORD_SOURCE, &(struct module){.number = number, .path = path, .function = function});
}

void host_unloaded(void)
{
	__atomic_add_fetch(&object_generation, 1, __ATOMIC_RELAXED);
}

bool stream_is_nested(const struct recording_stream *s, const void *frame)
{
	const uintptr_t limit = RELAXED_LOAD(s->limit);

	return limit == RELAXED_LOAD(s->idle_limit) || limit == STREAM_INSIDE ||
	       call_nesting(limit, frame) != NOT_NESTED;
}
