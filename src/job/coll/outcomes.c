#include "base/files.h"
#include "base/notes.h"
#include "base/settings.h"
#include "coll/choice/outcome.h"
#include "coll/choice/override.h"
#include "job/coll/states.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The maximum number of lines. */
enum { LINES_MAX = 20000 };

/* Folder of the run; -1: none. */
static int open_folder(void)
{
	const char *folder = setting_get(SETTING_COLL);

	return folder && *folder ? open_uncounted(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
	                         : -1;
}

void coll_note(const char *format, ...)
{
	char sentence[400];
	int folder, before;
	va_list args;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	folder = open_folder();
	if (folder >= 0) {
		note_write_at(folder, sentence);
		close(folder);
	}
	pthread_setcancelstate(before, NULL);
}

static struct coll_outcome outcome_of(const struct coll_state *state, int operation, int class)
{
	const struct coll_entry *entry = &state->entries[operation][class];
	const struct coll_trial *trial = &entry->trial;
	struct coll_outcome outcome = {
		.comm = state->number,
		.processes = state->shape.processes,
		.nodes = state->shape.nodes,
		.levels = state->coll.tree.levels,
		.size_class = class,
		.bytes_min = entry->bytes_min,
		.bytes_max = entry->bytes_max,
		.calls = entry->calls,
		.is_decided = trial_is_decided(trial),
		.is_forced = entry->is_forced,
		.is_library = !trial_is_decided(trial) || trial->chosen == TRIAL_LIBRARY,
		.library_s = trial->library_s < TRIAL_FAILED ? (double)trial->library_s : 0,
		.rival_s = trial->rival_s < TRIAL_FAILED ? (double)trial->rival_s : 0,
	};
	const int named = trial_is_decided(trial) && trial->chosen ? trial->chosen : trial->rival;

	snprintf(outcome.operation, sizeof outcome.operation, "%s", coll_operation_names[operation]);
	snprintf(outcome.chosen, sizeof outcome.chosen, "%s",
	         named ? coll_algorithms[entry->algorithms[named]].name : OVERRIDE_MPI);
	return outcome;
}

static void append(const char *line, size_t length)
{
	char host[64] = "", name[128];
	int folder = open_folder(), file;

	if (folder < 0)
		return;
	gethostname(host, sizeof host - 1);
	snprintf(name, sizeof name, COLL_CHOSEN_PREFIX "%s-%d", host, (int)getpid());
	file = open_uncounted(folder, name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file >= 0) {
		/* Lines that do not fit are skipped. */
		(void)write_fully(file, line, length);
		close(file);
	}
	close(folder);
}

void outcome_write(const struct coll_state *state, int operation, int class)
{
	static uint32_t lines;
	struct coll_outcome outcome;
	char line[OUTCOME_LINE];
	int length, before;

	if (state->coll.rank || __atomic_fetch_add(&lines, 1, __ATOMIC_RELAXED) >= LINES_MAX)
		return;
	outcome = outcome_of(state, operation, class);
	length = coll_outcome_print(&outcome, line);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	append(line, (size_t)length);
	pthread_setcancelstate(before, NULL);
}
