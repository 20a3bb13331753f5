#include "scenario.h"

#include "base/settings.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/wait.h>

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void set_up_environment(const char *output)
{
	setenv(SETTING_OUTPUT, output, 1);
	setenv("PMIX_NAMESPACE", "unit", 1);
	unsetenv(SETTING_RUN);
}

static void run_in_child(void (*scenario)(void), const char *output)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		set_up_environment(output);
		scenario();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

struct event *events_of(struct reader *reader, struct stream *stream, size_t *count)
{
	struct event *events = NULL, event;
	struct event_iter iter;
	size_t room = 0;

	*count = 0;
	reader_events(reader, stream, &iter);
	while (reader_next(&iter, &event)) {
		if (*count == room) {
			room = room ? 2 * room : 64;
			events = realloc(events, room * sizeof *events);
			assert_non_null(events);
		}
		events[(*count)++] = event;
	}
	return events;
}

void record(void (*scenario)(void), struct recording *r)
{
	char folder[] = "/tmp/tarry-unit-XXXXXX", output[64];

	assert_non_null(mkdtemp(folder));
	snprintf(output, sizeof output, "%s/run.tarry", folder);
	fake_reset();
	run_in_child(scenario, output);
	assert_int_equal(reader_open(output, &r->reader), OK);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_int_equal(r->reader->damage_count, 0);
	assert_int_equal(r->reader->process_count, 1);
	r->process = &r->reader->processes[0];
	assert_true(r->process->stream_count > 0);
	r->events = events_of(r->reader, &r->process->streams[0], &r->count);
}

void recording_release(struct recording *r)
{
	free(r->events);
	reader_close(r->reader);
}

size_t count_calls(const struct recording *r, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < r->count; i++)
		count += strcmp(r->events[i].call->outline->name, name) == 0;
	return count;
}

const struct call *nth_call(const struct recording *r, const char *name, size_t n)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->events[i].call->outline->name, name) == 0 && n-- == 0)
			return r->events[i].call;
	fail_msg("the trace has too few calls of %s", name);
	return NULL;
}

int64_t nth_field(const struct call *call, enum field_key key, size_t n)
{
	for (uint32_t i = 0; i < field_count(call); i++)
		if (field_key_at(call, i) == key && n-- == 0)
			return field_value_at(call, i);
	return ABSENT_FIELD;
}

bool has_field(const struct call *call, enum field_key key)
{
	return nth_field(call, key, 0) != ABSENT_FIELD;
}

int64_t field(const struct call *call, enum field_key key)
{
	if (!has_field(call, key))
		fail_msg("%s has no field %d", call->outline->name, (int)key);
	return nth_field(call, key, 0);
}
