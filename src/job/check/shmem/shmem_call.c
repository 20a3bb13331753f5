#include "job/check/shmem/shmem_call.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 512 };

struct checked_shmem checked_shmem;

struct argument_list {
	char text[TEXT_MAX];
	size_t size;
};

static void add(struct argument_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct argument_list *list, const char *format, ...)
{
	char text[TEXT_MAX];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (length < 0 || list->size + (size_t)length + sizeof ", " > sizeof list->text)
		return;
	list->size += (size_t)snprintf(list->text + list->size, sizeof list->text - list->size, "%s%s",
	                               list->size ? ", " : "", text);
}

static bool has_elements(enum call_id id)
{
	return shmem_is_collective(id) ||
	       (all_calls[id].pgas == PGAS_ACCESS && id != CALL_shmem_p && id != CALL_shmem_g);
}

static void add_set(struct argument_list *list, const struct shmem_values *values)
{
	if (!values->sync)
		return;
	add(list, "PE_start = %d", values->set.first);
	add(list, "logPE_stride = %d", values->set.log_stride);
	add(list, "PE_size = %d", values->set.count);
}

char *shmem_argument_text(const struct agent_call *call)
{
	const struct shmem_values *values = ((const struct shmem_call *)call)->values;
	struct argument_list list = {.size = 0};

	if (has_elements(call->id))
		add(&list, "%s = %" PRId64, call->id == CALL_shmem_reduce ? "nreduce" : "nelems",
		    (int64_t)values->elements);
	if (values->operation)
		add(&list, "operation = %s", values->operation);
	if (call->id == CALL_shmem_broadcast)
		add(&list, "PE_root = %d", values->pe);
	if (shmem_is_access(call->id))
		add(&list, "pe = %d", values->pe);
	add_set(&list, values);
	if (all_calls[call->id].pgas == PGAS_MEMORY && call->id != CALL_shmem_free)
		add(&list, "size = %" PRIu64, values->bytes);
	return strdup(list.text);
}
