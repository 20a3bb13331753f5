/* In place of agent.c, host.c and service.c, and of all that has nothing to do with events: for test_check_execution_words.c. */
#ifndef TESTS_UNIT_AGENT_STUBS_H
#define TESTS_UNIT_AGENT_STUBS_H

#include "check_calls.h"

#include "calls/calls.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/buffers/attached_buffer.h"
#include "job/check/buffers/message_contents.h"
#include "job/check/buffers/receive_shadows.h"
#include "job/check/events/call_table.h"
#include "job/check/events/comms.h"
#include "job/check/events/events.h"
#include "job/check/events/request_operations.h"
#include "job/check/objects/argument_text.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/threads.h"
#include "job/check/objects/types.h"
#include "job/check/requests/request_states.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/service.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/places.h"
#include "job/mpi/sites.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct checked_process checked = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
static struct agent_thread first_thread;
_Thread_local struct agent_thread *agent_self __attribute__((tls_model("initial-exec")));
bool check_nested;

static _Thread_local int current_line;
static uint32_t forgotten;

uint32_t agent_place(const struct agent_call *call)
{
	(void)call;
	return (uint32_t)current_line;
}

void agent_step_aside(const char *reason)
{
	fprintf(stderr, "stepped aside: %s\n", reason);
	_exit(1);
}

void agent_note(const char *format, ...)
{
	(void)format;
}

int agent_folder(void)
{
	return -1;
}

struct finding_draft finding_draft(enum check check, const struct agent_call *call)
{
	(void)check;
	(void)call;
	return (struct finding_draft){0};
}

struct finding_draft problem_draft(enum check check, struct agent_call *call)
{
	return finding_draft(check, call);
}

void finding_draft_value(struct finding_draft *draft, const char *name, const char *format, ...)
{
	(void)draft;
	(void)name;
	(void)format;
}

void finding_draft_call(struct finding_draft *draft, enum call_id function, uint32_t place, const char *note)
{
	(void)draft;
	(void)function;
	(void)place;
	(void)note;
}

void finding_report(struct finding_draft *draft)
{
	(void)draft;
}

void service_wake(void)
{
}

uint64_t service_wait_for_room(uint32_t count)
{
	(void)count;
	return __atomic_exchange_n(&unsent_events->tail, unsent_events->head, __ATOMIC_RELAXED),
	       unsent_events->tail;
}

void service_forget(void (*free_calls)(void))
{
	forgotten++;
	unsent_events->tail = unsent_events->head;
	definitions_forget();
	free_calls();
}

void *host_table(size_t count, size_t size)
{
	return calloc(count, size);
}

void host_lock(void)
{
	pthread_mutex_lock(&checked.lock);
}

void host_unlock(void)
{
	pthread_mutex_unlock(&checked.lock);
}

/* One type for all. */
static struct announced_type only_type = {.refs = 1, .basic = 1, .bytes = 4};

struct announced_type *type_announced(uint64_t handle, bool accepted)
{
	(void)handle;
	(void)accepted;
	return &only_type;
}

uint32_t types_count(void)
{
	return 1;
}

char *argument_text(const struct agent_call *call, bool for_all)
{
	(void)call;
	(void)for_all;
	return strdup("");
}

uint32_t place_stack(uint32_t place, struct check_place *stack)
{
	(void)place;
	(void)stack;
	return 0;
}

/* Data of messages: hash 5 of sent data, 6 of data received by calls, 7 of data received by requests. */
static bool contents_compared;

bool message_contents_are_compared(void)
{
	return contents_compared;
}

struct message_content content_of_call(const struct agent_call *call, bool sends, int64_t limit)
{
	(void)call;
	(void)limit;
	return (struct message_content){.bytes = 4, .hash = sends ? 5 : 6};
}

struct message_content content_received(const struct agent_call *call)
{
	return content_of_call(call, false, 0);
}

struct message_content active_buffers_content(const struct checked_request *request, int64_t limit)
{
	(void)request;
	return (struct message_content){.bytes = 4, .hash = limit < 0 ? 0 : 7};
}

/* Stubs unrelated to events. */
uint32_t receive_shadows_live;
struct checked_object *object_cache[OBJECT_KINDS][OBJECT_CACHE];
#define NOTHING(type, name, ...) \
	type name(__VA_ARGS__) \
	{ \
		return (type)0; \
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
NOTHING(void, active_buffers_after, struct agent_call *call, int rc)
NOTHING(void, active_buffers_complete, struct agent_call *call, struct checked_request *request,
        const MPI_Status *status)
NOTHING(void, active_buffers_deliver, struct active_buffer *first)
NOTHING(bool, active_buffers_have_shadow, const struct checked_request *request)
NOTHING(void, active_buffers_settle, struct agent_call *call, struct checked_request *request)
NOTHING(void, receive_shadows_adopt, uint64_t handle, struct active_buffer *buffers)
NOTHING(void, active_buffers_made, const struct agent_call *call, struct checked_request *request)
NOTHING(void, active_buffers_partition, struct agent_call *call, struct checked_request *request, int64_t i,
        bool b)
NOTHING(void, active_buffers_release, struct checked_request *request)
NOTHING(void, active_buffers_start, struct agent_call *call, struct checked_request *request)
NOTHING(bool, attached_buffer_is_of_process, const struct agent_call *call)
NOTHING(bool, attached_buffer_is_new, void)
NOTHING(uint64_t, attached_buffer_needed, const struct agent_call *call)
NOTHING(uint64_t, attached_buffer_size, void)
NOTHING(void, attached_buffer_start, struct agent_call *call, const struct checked_request *request)
NOTHING(void, object_check_limit, const struct agent_call *call, enum object_kind kind, uint32_t n)
NOTHING(struct checked_object *, object_find_slowly, enum object_kind kind, uint64_t handle)
NOTHING(uint32_t, place_of_site, const void *site)
NOTHING(uint32_t, place_add, uint32_t caller, uint64_t module, uint64_t offset)
NOTHING(void, site_locate, uint64_t address, uint64_t *module, uint64_t *offset)
NOTHING(void, threads_report_request, struct agent_call *call, enum call_id created_by, uint32_t created_at)
NOTHING(void, type_ended, uint64_t handle)
NOTHING(void, types_free_unused, void)
#pragma GCC diagnostic pop

#endif
