#include "job/record/upc_quick.h"

#include "job/record/shapes.h"
#include "job/record/upc_calls.h"

#include <limits.h>
#include <string.h>

static int64_t thread_of(const struct upc_thread *thread, const void *pointer)
{
	int32_t found = pointer ? thread->dialect->thread_of(pointer) : UPC_NOBODY;

	return LIKELY(found >= 0 && found < thread->threads) ? found : ABSENT;
}

/* Who is accessed, and how many bytes of it. */
static uint32_t access(const struct upc_thread *thread, const void *pointer, size_t bytes, int64_t *key)
{
	key[KEY_VALUES] = thread->team;
	key[KEY_VALUES + 1] = thread_of(thread, pointer);
	key[KEY_VALUES + 2] = LIKELY(bytes <= INT64_MAX) ? (int64_t)bytes : ABSENT;
	return UPC_ACCESS_WORDS;
}

static uint32_t read_memput(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	const void *to = va_arg(arguments->list, const void *);

	(void)va_arg(arguments->list, const void *);
	return access(thread, to, va_arg(arguments->list, size_t), key);
}

static uint32_t read_put(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	(void)va_arg(arguments->list, int);
	return read_memput(thread, arguments, key);
}

static uint32_t read_memset(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	const void *to = va_arg(arguments->list, const void *);

	(void)va_arg(arguments->list, int);
	return access(thread, to, va_arg(arguments->list, size_t), key);
}

static uint32_t read_memget(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	const void *from;

	(void)va_arg(arguments->list, const void *);
	from = va_arg(arguments->list, const void *);
	return access(thread, from, va_arg(arguments->list, size_t), key);
}

static uint32_t read_get(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	(void)va_arg(arguments->list, int);
	return read_memget(thread, arguments, key);
}

static uint32_t read_id(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	int is_named = va_arg(arguments->list, int), id = va_arg(arguments->list, int);

	key[KEY_VALUES] = thread->team;
	key[KEY_VALUES + 1] = is_named && id != INT_MIN ? id : ABSENT;
	return UPC_BARRIER_WORDS;
}

/* Each with the fields that it fills. */
static const struct {
	uint32_t event;
	upc_quick *read;
	uint8_t fields[4];
} readers[] = {
	{UPC_EVENT_MEMPUT, read_memput, {FIELD_COMM, FIELD_TARGET, FIELD_SENT}},
	{UPC_EVENT_PUT, read_put, {FIELD_COMM, FIELD_TARGET, FIELD_SENT}},
	{UPC_EVENT_MEMSET, read_memset, {FIELD_COMM, FIELD_TARGET, FIELD_SENT}},
	{UPC_EVENT_MEMGET, read_memget, {FIELD_COMM, FIELD_TARGET, FIELD_RECEIVED}},
	{UPC_EVENT_GET, read_get, {FIELD_COMM, FIELD_TARGET, FIELD_RECEIVED}},
	{UPC_EVENT_NOTIFY, read_id, {FIELD_COMM, FIELD_TAG}},
	{UPC_EVENT_WAIT, read_id, {FIELD_COMM, FIELD_TAG}},
	{UPC_EVENT_BARRIER, read_id, {FIELD_COMM, FIELD_TAG}},
};

/* The order of fields is that of the table of calls: who changes it there loses time, and nothing else. */
upc_quick *upc_quick_of(uint32_t event)
{
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
		const uint8_t *fields = readers[i].fields;
		if (readers[i].event == event &&
		    memcmp(call_shapes[upc_call_of(event)].fields, fields, strlen((const char *)fields)) == 0)
			return readers[i].read;
	}
	return NULL;
}
