#include "check_calls.h"

#include "job/check/arguments/arguments.h"
#include "job/check/events/request_operations.h"
#include "job/check/lifetimes.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/threads.h"
#include "job/check/objects/type_contents.h"
#include "job/check/objects/type_layout.h"
#include "job/check/objects/type_signatures.h"
#include "job/check/objects/types.h"
#include "job/check/order.h"
#include "job/check/requests/request_states.h"
#include "job/check/windows/window_events.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/host.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool check_nested, check_fortran, check_arguments;
struct seen_completion completions[64];
uint32_t completion_count, started_count, ended_count;

static _Thread_local int current_line;

enum { FINDINGS = 64, PARTS = 8 };

static struct found_mistake {
	enum check check;
	int lines[PARTS];
	const char *notes[PARTS];
	int line_count;
	const char *names[PARTS];
	char texts[PARTS][64];
	int value_count;
} found[FINDINGS], *last_found;
static int found_count, seen_count;

static _Thread_local struct found_mistake draft_found;

struct finding_draft finding_draft(enum check check, const struct agent_call *call)
{
	draft_found = (struct found_mistake){.check = check};
	if (call) {
		draft_found.notes[0] = NOTE_HERE;
		draft_found.lines[draft_found.line_count++] = current_line;
	}
	return (struct finding_draft){0};
}

struct finding_draft problem_draft(enum check check, struct agent_call *call)
{
	call->problems++;
	return finding_draft(check, call);
}

void finding_draft_value(struct finding_draft *draft, const char *name, const char *format, ...)
{
	va_list arguments;

	(void)draft;
	va_start(arguments, format);
	draft_found.names[draft_found.value_count] = name;
	vsnprintf(draft_found.texts[draft_found.value_count++], sizeof *draft_found.texts, format, arguments);
	va_end(arguments);
}

void finding_draft_call(struct finding_draft *draft, enum call_id function, uint32_t place, const char *note)
{
	(void)draft;
	(void)function;
	draft_found.notes[draft_found.line_count] = note;
	draft_found.lines[draft_found.line_count++] = (int)place;
}

void finding_report(struct finding_draft *draft)
{
	(void)draft;
	if (found_count < FINDINGS)
		found[found_count++] = draft_found;
}

const char *type_name(uint64_t handle)
{
	(void)handle;
	return NULL;
}

/* Contents of datatypes are not looked at here: they all fit. */
struct announced_type *type_content_keep(uint64_t handle)
{
	(void)handle;
	return NULL;
}

void type_content_drop(struct announced_type *content)
{
	(void)content;
}

struct signature_comparison type_content_compare(uint64_t handle, const struct announced_type *content)
{
	(void)handle;
	(void)content;
	return (struct signature_comparison){.verdict = SIGNATURE_FITS};
}

uint32_t agent_place(const struct agent_call *call)
{
	(void)call;
	return (uint32_t)current_line;
}

struct checked_process checked;
uint32_t site_dlcloses;
_Thread_local struct agent_thread *agent_self __attribute__((tls_model("initial-exec")));

void agent_note(const char *format, ...)
{
	(void)format;
}

uint32_t place_of_site(const void *site)
{
	(void)site;
	return 0;
}

uint32_t place_of_addresses(const uintptr_t *addresses, uint32_t count, bool is_whole)
{
	(void)addresses;
	(void)count;
	(void)is_whole;
	return 0;
}

void *host_table(size_t count, size_t size)
{
	return calloc(count, size);
}

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void host_lock(void)
{
	pthread_mutex_lock(&lock);
}

void host_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* Types here have no gaps, so their limits are enough. */
const struct type_layout *type_layout_get(uint64_t handle)
{
	(void)handle;
	return NULL;
}

void type_layout_hold(const struct type_layout *layout)
{
	(void)layout;
}

void type_layout_release(const struct type_layout *layout)
{
	(void)layout;
}

void window_event_before(struct agent_call *call, struct checked_window *window)
{
	(void)call;
	(void)window;
}

void window_event_after(struct agent_call *call, struct checked_window *window)
{
	(void)call;
	(void)window;
}

struct announced_call *window_event_buffer(struct checked_window *window, const struct window_buffer *buffer,
                                           bool now)
{
	(void)window;
	(void)buffer;
	(void)now;
	return NULL;
}

bool push_window_over(struct announced_call *call, uint64_t number)
{
	(void)call;
	(void)number;
	return false;
}

void window_event_synchronised(struct checked_window *window)
{
	(void)window;
}

void window_event_local(struct checked_window *window, const struct local_access *access)
{
	(void)window;
	(void)access;
}

void window_made(const struct agent_call *call, struct checked_window *window)
{
	(void)call;
	(void)window;
}

void request_started(struct checked_request *request)
{
	(void)request;
	started_count++;
}

void request_completed(struct checked_request *request, const MPI_Status *status)
{
	completions[completion_count++ % 64] = (struct seen_completion){
		.by = request->created_by,
		.source = status ? status->MPI_SOURCE : MPI_UNDEFINED,
		.tag = status ? status->MPI_TAG : MPI_UNDEFINED,
		.cancelled = status && status_cancelled(status),
		.has_status = status != NULL,
	};
}

void request_arrived(struct checked_request *request, const MPI_Status *status)
{
	(void)request;
	(void)status;
}

void request_ended(struct checked_request *request)
{
	(void)request;
	ended_count++;
}

static void find_status(struct agent_call *call)
{
	static _Thread_local MPI_Status own[FAKE_MANY];
	const int one = call_parameter(call->id, KIND_status), many = call_parameter(call->id, KIND_statuses);
	const int at = one < 0 ? many : one;

	if (at < 0)
		return;
	call->status = (void *)(uintptr_t)call->arguments[at];
	if (!call->status) { /* the wrapper's room: the fake library fills the program's only */
		memcpy(own, fake->statuses, sizeof own);
		call->status = own;
	}
}

void check_enter(struct agent_call *call, int line)
{
	current_line = line;
	call->fortran = check_fortran;
	find_status(call);
	if (check_arguments && !order_before(call))
		return;
	if (check_arguments) {
		threads_before(call);
		arguments_check(call);
	}
	lifetimes_before(call);
}

void check_leave(struct agent_call *call, int result)
{
	if (check_arguments) {
		threads_after(call);
		order_after(call, result);
	}
	lifetimes_after(call, result);
}

static void fail_at(const char *what, int line)
{
	fprintf(stderr, "line %d: %s\n", line, what);
	_exit(1);
}

void check_require(bool holds, const char *condition, int line)
{
	if (!holds)
		fail_at(condition, line);
}

void expect(enum check check, int line)
{
	if (seen_count == found_count)
		fail_at("nothing was found", line);
	last_found = &found[seen_count++];
	if (last_found->check != check || last_found->line_count < 1 || last_found->lines[0] != line) {
		fprintf(stderr, "found %s of line %d\n", check_info(last_found->check)->id,
		        last_found->lines[0]);
		fail_at("that is another finding", line);
	}
}

void expect_call(const char *note, int line)
{
	for (int i = 1; i < last_found->line_count; i++)
		if (strcmp(last_found->notes[i], note) == 0 && last_found->lines[i] == line)
			return;
	fail_at("that call is not in the finding", line);
}

void expect_text(const char *name, const char *text)
{
	for (int i = 0; i < last_found->value_count; i++)
		if (strcmp(last_found->names[i], name) == 0 && strcmp(last_found->texts[i], text) == 0)
			return;
	fprintf(stderr, "%s is not %s\n", name, text);
	fail_at("that value is not in the finding", last_found->lines[0]);
}

void expect_nothing(void)
{
	if (seen_count == found_count)
		return;
	fprintf(stderr, "found %s\n", check_info(found[seen_count].check)->id);
	fail_at("nothing should have been found", found[seen_count].lines[0]);
}

void finalize(void)
{
	struct agent_call call = {.id = CALL_Finalize, .arguments = (int64_t[]){0}};

	check_enter(&call, __LINE__);
	check_leave(&call, PMPI_Finalize());
}

void run_scenario(void (*scenario)(void))
{
	int status = 1;
	pid_t child;

	fake_reset();
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		signal(SIGSEGV, SIG_DFL); /* of cmocka: it would continue with the next test */
		lifetimes_start();
		scenario();
		_exit(0);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

/* Types */

bool type_contents_open(struct type_contents *contents, MPI_Datatype type)
{
	*contents = (struct type_contents){0};
	return PMPI_Type_get_envelope(type, &contents->integer_count, &contents->address_count,
	                              &contents->type_count, &contents->combiner) == MPI_SUCCESS;
}

bool combiner_is_named(int combiner)
{
	(void)combiner;
	return false; /* the program created what the fake MPI returns */
}
