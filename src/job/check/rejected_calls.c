#include "job/check/rejected_calls.h"

#include "calls/calls.h"
#include "job/check/events/events.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/object_kinds.h"
#include "job/check/requests/request_completion.h"
#include "job/check/wire/ending.h"
#include "job/check/wire/process_state.h"
#include "job/check/wrap.h"
#include "job/mpi/flavour.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "MPI_ERR_RANK". Programs and libraries may add classes. */
static const char *class_name(int class, char room[REJECTION_CLASS])
{
	static const struct {
		int class;
		const char *name;
	} classes[] = {
#define ERROR_CLASS(name) {MPI_ERR_##name, "MPI_ERR_" #name},
#include "job/mpi/error_classes.def"
	};

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (classes[i].class == class)
			return classes[i].name;
	snprintf(room, REJECTION_CLASS, "error class %d", class);
	return room;
}

/* Joins lines: some libraries add the history of the error. */
static void make_line(char *text)
{
	size_t length = strlen(text);

	while (length && strchr(" \n", text[length - 1]))
		text[--length] = '\0';
	for (size_t i = 0; i < length; i++)
		if (text[i] == '\n')
			text[i] = ' ';
}

/* Some libraries begin the text with the class. */
static const char *without_class(const char *text, const char *class)
{
	const size_t length = strlen(class);

	return strncmp(text, class, length) == 0 && strncmp(text + length, ": ", 2) == 0 ? text + length + 2
	                                                                                 : text;
}

/* MPICH 4.0 may write more than MPI_MAX_ERROR_STRING bytes. */
enum { ERROR_STRING_ROOM = 1 << 17 };

static void describe(struct rejection *rejection, const struct agent_call *call, int code)
{
	char room[REJECTION_CLASS], *text = host_table(1, ERROR_STRING_ROOM);
	int class = code, length;

	PMPI_Error_class(code, &class);
	rejection->call = call;
	rejection->error_class = class;
	snprintf(rejection->class, sizeof rejection->class, "%s", class_name(class, room));
	*rejection->text = '\0';
	if (!text)
		return;
	PMPI_Error_string(code, text, &length);
	make_line(text);
	snprintf(rejection->text, sizeof rejection->text, "%s", without_class(text, rejection->class));
	free(text);
}

static void report(enum check check, const struct rejection *rejection)
{
	struct finding_draft draft = finding_draft(check, rejection->call);

	finding_draft_value(&draft, "class", "%s", rejection->class);
	finding_draft_value(&draft, "text", "%s", rejection->text);
	finding_report(&draft);
}

void rejected_call_returned(const struct agent_call *call, int code)
{
	struct rejection rejection;

	if (call->nested || call->problems || RELAXED_LOAD(checked.phase) != AGENT_IN_MPI)
		return;
	describe(&rejection, call, code);
	report(CHECK_CALL_ERROR_RETURNED, &rejection);
	agent_self->rejection.call = NULL;
}

bool rejected_call_ends(const struct agent_call *call)
{
	struct rejection *rejection = agent_self ? &agent_self->rejection : NULL;

	if (!rejection || !call || rejection->call != call || call->problems)
		return false;
	/* The analyser does not know yet which messages the call received with wildcards, and one of them may explain the error. */
	completion_fails(call, rejection->error_class);
	events_fail(call, rejection->error_class);
	report(CHECK_CALL_FATAL, rejection);
	rejection->call = NULL;
	return true;
}

/* In libraries with the standard's binary interface, these functions use other handles and codes. */
#ifndef TARRY_MPI_ABI

/* MPI is about to call an error handler. `is_fatal`: it ends the process. */
static void rejected(int code, bool is_fatal)
{
	const int saved = errno;
	struct agent_thread *thread = agent_self;
	const struct agent_call *call = thread ? thread->current : NULL;

	if (!call || call->problems || agent_is_off() || code == MPI_SUCCESS || call->id == CALL_Abort)
		return;
	describe(&thread->rejection, call, code);
	if (is_fatal && rejected_call_ends(call))
		agent_job_ends();
	errno = saved;
}

/* MPI's own function of this name. A search in all libraries would find the preloaded one first. */
static void *next_listener(void **next, const char *name)
{
	void *found = __atomic_load_n(next, __ATOMIC_RELAXED), *library;
	Dl_info mpi;

	if (found)
		return found;
	library = dladdr((void *)(uintptr_t)PMPI_Comm_rank, &mpi) && mpi.dli_fname
	                  ? dlopen(mpi.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
	                  : NULL;
	found = library ? dlsym(library, name) : NULL;
	__atomic_store_n(next, found, __ATOMIC_RELAXED);
	return found;
}

/* As many parameters as fit into registers, so that parameters of other versions of the library
 * are passed on as well. */
typedef long error_listener(void *first, void *second, long third, long fourth, long fifth, long sixth);

static bool is_fatal_handler(MPI_Errhandler handler)
{
#ifdef MPI_ERRORS_ABORT
	if (handler == MPI_ERRORS_ABORT)
		return true;
#endif
	return handler == MPI_ERRORS_ARE_FATAL;
}

#if defined(OPEN_MPI)

/* (handler, object, kind of object, code, function). Without a handler the error is fatal. */
EXPORT error_listener ompi_errhandler_invoke;
EXPORT long ompi_errhandler_invoke(void *handler, void *object, long kind, long code, long function,
                                   long sixth)
{
	static void *next;
	error_listener *invoke;

	rejected((int)code, !handler || is_fatal_handler(handler));
	*(void **)&invoke = next_listener(&next, "ompi_errhandler_invoke");
	return invoke ? invoke(handler, object, kind, code, function, sixth) : (int)code;
}

#elif !defined(TARRY_FAKE_MPI)

static bool has_fatal_handler(MPI_Comm comm)
{
	MPI_Errhandler handler;
	bool is_fatal;

	if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
		return false;
	is_fatal = is_fatal_handler(handler);
	PMPI_Errhandler_free(&handler);
	return is_fatal;
}

/* If an object has no handler of its own, MPICH reports MPI_ERRORS_ARE_FATAL but uses the handler of
 * MPI_COMM_WORLD or, in newer versions, of MPI_COMM_SELF. So the error is certainly fatal if all these
 * handlers are; otherwise only the end of the process shows it. Under MPI_THREAD_MULTIPLE, handlers cannot
 * be queried, because the library would take a lock twice: then the error is certainly fatal as long as
 * the program has not set an error handler. */
static bool is_fatal_for(const void *comm)
{
	/* Objects of MPICH begin with their handle. */
	const uint64_t handle = comm ? *(const uint32_t *)comm : 0;

	if (checked.shared)
		return !RELAXED_LOAD(checked.chooses_handlers);
	if (RELAXED_LOAD(checked.phase) != AGENT_IN_MPI ||
	    (comm && (handle_is_malformed(OBJECT_COMM, handle) || !has_fatal_handler((MPI_Comm)handle))))
		return false;
	return has_fatal_handler(MPI_COMM_WORLD) && has_fatal_handler(MPI_COMM_SELF);
}

/* (communicator or NULL, function, code) */
EXPORT error_listener MPIR_Err_return_comm;
EXPORT long MPIR_Err_return_comm(void *comm, void *function, long code, long fourth, long fifth, long sixth)
{
	static void *next;
	error_listener *invoke;

	rejected((int)code, is_fatal_for(comm));
	*(void **)&invoke = next_listener(&next, "MPIR_Err_return_comm");
	return invoke ? invoke(comm, function, code, fourth, fifth, sixth) : (int)code;
}

/* (window or NULL, function, code). If the window has no handler of its own, its error goes
 * to the function above. */
EXPORT error_listener MPIR_Err_return_win;
EXPORT long MPIR_Err_return_win(void *win, void *function, long code, long fourth, long fifth, long sixth)
{
	static void *next;
	error_listener *invoke;

	rejected((int)code, false);
	*(void **)&invoke = next_listener(&next, "MPIR_Err_return_win");
	return invoke ? invoke(win, function, code, fourth, fifth, sixth) : (int)code;
}

#endif
#endif
