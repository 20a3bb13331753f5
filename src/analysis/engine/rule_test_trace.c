/* The calls of a test as the text of a trace. Identities are named freely: `comm=halves` is a communicator of those ranks
 * that name it; if none is named, MPI_COMM_WORLD, and for functions of UPC the team of all threads. */
#include "analysis/engine/rule_test_run.h"
#include "analysis/rules/call_arguments.h"
#include "base/memory.h"
#include "calls/calls.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

#define WORLD "world"
#define TEAM "upc"

/* Names of one kind of thing, in the order in which they are first used. */
struct named_objects {
	const char **names;
	size_t count;
};

/* What fields may be besides those of a trace. */
struct test_names {
	const struct rulebook *book;
	struct rule_argument *arguments;
	size_t argument_count;
	struct arena arena;
};

static void test_names_init(struct test_names *names, const struct rulebook *book)
{
	*names = (struct test_names){.book = book};
	names->arguments = rulebook_arguments(book, &names->arena, &names->argument_count);
}

struct writing {
	struct test_names names;
	const struct rule_test *test;
	struct text *out;
	struct named_objects comms, wins, files, mutexes, sources;
	uint32_t size; /* of the world */
};

static size_t number_of(struct named_objects *objects, const char *name)
{
	for (size_t i = 0; i < objects->count; i++)
		if (strcmp(objects->names[i], name) == 0)
			return i + 1;
	objects->names = memory_grow(objects->names, objects->count + 1, sizeof *objects->names);
	objects->names[objects->count++] = name;
	return objects->count;
}

static bool has_kind(const char *function, const char *kind)
{
	const struct call_info *call = call_find(function);
	const char *found = call ? strstr(call->kinds, kind) : NULL;
	size_t length = strlen(kind);

	while (found &&
	       !((found == call->kinds || found[-1] == ' ') && (!found[length] || found[length] == ' ')))
		found = strstr(found + 1, kind);
	return found != NULL;
}

/* The value of a field; NULL: the event has no such field. */
static const char *find_value(const struct rule_test_event *event, const char *name)
{
	for (uint32_t i = 0; i < event->field_count; i++)
		if (strcmp(event->fields[i].name, name) == 0)
			return event->fields[i].value;
	return NULL;
}

static const char *default_thing(const char *function)
{
	const struct call_info *call = call_find(function);

	return call && call_is_upc(call) ? TEAM : WORLD;
}

/* NULL: it has none. */
static const char *thing_of(const struct rule_test_event *event, const char *kind)
{
	const char *value = find_value(event, kind);

	return value ? value : has_kind(event->function, kind) ? default_thing(event->function) : NULL;
}

static bool is_in(const struct writing *writing, const char *comm, uint32_t rank)
{
	for (uint32_t i = 0; i < writing->test->event_count; i++) {
		const struct rule_test_event *event = &writing->test->events[i];
		const char *name = thing_of(event, "comm");
		if (event->rank == rank && name && strcmp(name, comm) == 0)
			return true;
	}
	return strcmp(comm, WORLD) == 0;
}

/* As in a trace, each thread tells of itself alone. */
static void add_team(struct writing *writing, size_t number, uint32_t rank)
{
	text_add(writing->out, "comm 0x%zx parent=0x0 kind=upc rank=%u size=%u remote=0 \"UPC threads\"\n",
	         number + 1, rank, writing->size);
}

static void add_comm(struct writing *writing, size_t number, uint32_t rank)
{
	const char *name = writing->comms.names[number];
	struct text members = {0};
	uint32_t size = 0, place = 0;

	if (strcmp(name, TEAM) == 0) {
		add_team(writing, number, rank);
		return;
	}
	for (uint32_t i = 0; i < writing->size; i++) {
		if (!is_in(writing, name, i))
			continue;
		place += i < rank;
		text_add(&members, "%s1:%u", size++ ? "," : "", i);
	}
	if (is_in(writing, name, rank))
		text_add(writing->out,
		         "comm 0x%zx parent=0x0 kind=intra rank=%u size=%u remote=0 members=%s \"%s\"\n",
		         number + 1, place, size, text_get(&members), number ? name : "MPI_COMM_WORLD");
	text_release(&members);
}

/* Identities of windows, files and locks are apart from those of communicators. */
enum { WINS = 0x1000, FILES = 0x2000, MUTEXES = 0x3000 };

/* Standard sends up to this size do not wait for their receivers in tests. */
enum { EAGER_BYTES = 4096 };

static void add_objects(struct writing *writing, const char *kind, size_t first,
                        const struct named_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		text_add(writing->out, "object %s 0x%zx comm=0x1 size=0 unit=1 \"%s\"\n", kind, first + i + 1,
		         objects->names[i]);
}

static void collect_things(struct writing *writing)
{
	number_of(&writing->comms, WORLD);
	for (uint32_t i = 0; i < writing->test->event_count; i++) {
		const struct rule_test_event *event = &writing->test->events[i];
		const char *comm = thing_of(event, "comm"), *win = thing_of(event, "win");
		const char *file = find_value(event, "file"), *mutex = find_value(event, "mutex");
		writing->size = event->rank >= writing->size ? event->rank + 1 : writing->size;
		if (comm)
			number_of(&writing->comms, comm);
		if (win)
			number_of(&writing->wins, win);
		if (file)
			number_of(&writing->files, file);
		if (mutex)
			number_of(&writing->mutexes, mutex);
		if (*event->file)
			number_of(&writing->sources, event->file);
	}
}

static void add_process(struct writing *writing, uint32_t rank)
{
	text_add(writing->out, "process world=1 rank=%u size=%u run=1\nproperty host \"node\"\n", rank,
	         writing->size);
	text_add(writing->out, "clock monotonic 1000000000 tick=0 ns=0\n");
	text_add(writing->out, "eager %d node\neager %d network\n", EAGER_BYTES, EAGER_BYTES);
	for (size_t i = 0; i < writing->comms.count; i++)
		add_comm(writing, i, rank);
	add_objects(writing, "win", WINS, &writing->wins);
	add_objects(writing, "file", FILES, &writing->files);
	for (size_t i = 0; i < writing->sources.count; i++) {
		text_add(writing->out, "source %zu ", i + 1);
		text_add_quoted(writing->out, writing->sources.names[i]);
		text_add(writing->out, " \"test\"\n");
	}
}

/* The parameter that a rule gives to a traced function that is not MPI's; NULL: none of this name. */
static const struct column *rule_test_column(const struct rulebook *book, const char *function,
                                             const char *name)
{
	for (size_t i = 0; i < book->type_count; i++) {
		const struct event_type *type = book->types[i];
		if (!type->prototype || strcmp(type->prototype->function, function) != 0)
			continue;
		for (uint32_t j = 0; j < type->column_count; j++)
			if (type->columns[j].value && strcmp(type->columns[j].name, name) == 0)
				return &type->columns[j];
	}
	return NULL;
}

/* What rules ask for of a call besides what every trace has: a parameter that one gives to a function which is not MPI's, or an argument of
 * one of MPI's. */
static void add_param(struct writing *writing, const struct rule_test_field *field, const char *form)
{
	text_add(writing->out, " param=\"%s\" %s=", field->name, form);
	if (strcmp(form, "text") == 0)
		text_add_quoted(writing->out, field->value);
	else
		text_add(writing->out, "%s", field->value);
}

/* NULL: it is a field of the trace. */
static const char *param_form(const struct test_names *names, const char *function, const char *name)
{
	const struct column *column = rule_test_column(names->book, function, name);
	const struct rule_argument *argument = rule_argument_find(names->arguments, names->argument_count,
	                                                          function, name);

	if (column)
		return column->type.base == TYPE_TEXT ? "text" : column->type.is_real ? "real" : "value";
	return !argument ? NULL : argument_is_text(&argument->what) ? "text" : "value";
}

static void add_identity(struct writing *writing, const char *kind, const char *name)
{
	bool is_comm = strcmp(kind, "comm") == 0 || strcmp(kind, "newcomm") == 0;
	size_t number = is_comm                      ? number_of(&writing->comms, name)
	                : strcmp(kind, "win") == 0   ? WINS + number_of(&writing->wins, name)
	                : strcmp(kind, "mutex") == 0 ? MUTEXES + number_of(&writing->mutexes, name)
	                                             : FILES + number_of(&writing->files, name);

	text_add(writing->out, " %s=0x%zx", kind, number);
}

static bool is_thing(const char *name)
{
	return strcmp(name, "comm") == 0 || strcmp(name, "newcomm") == 0 || strcmp(name, "win") == 0 ||
	       strcmp(name, "file") == 0 || strcmp(name, "mutex") == 0;
}

static void add_field(struct writing *writing, const char *function, const struct rule_test_field *field)
{
	const char *form = param_form(&writing->names, function, field->name);
	bool is_name = strcmp(field->name, "region") == 0 || strcmp(field->name, "port") == 0;

	if (form) {
		add_param(writing, field, form);
	} else if (is_thing(field->name)) {
		add_identity(writing, field->name, field->value);
	} else {
		text_add(writing->out, " %s=", field->name);
		if (is_name)
			text_add_quoted(writing->out, field->value);
		else
			text_add(writing->out, "%s", field->value);
	}
}

static void add_default_thing(struct writing *writing, const struct rule_test_event *event, const char *kind)
{
	if (!find_value(event, kind) && has_kind(event->function, kind))
		add_identity(writing, kind, default_thing(event->function));
}

static void add_event(struct writing *writing, const struct rule_test_event *event)
{
	text_add(writing->out, "%lld %lld ", (long long)event->start_ns, (long long)event->end_ns);
	text_add_word(writing->out, event->function);
	if (*event->file)
		text_add(writing->out, " site=%zu+0x%x", number_of(&writing->sources, event->file),
		         event->line);
	add_default_thing(writing, event, "comm");
	add_default_thing(writing, event, "win");
	for (uint32_t i = 0; i < event->field_count; i++)
		add_field(writing, event->function, &event->fields[i]);
	text_add(writing->out, "\n");
}

/* Of one thread, by time; those that are within another one come after it. */
static int compare_events(const void *a, const void *b)
{
	const struct rule_test_event *left = *(const struct rule_test_event *const *)a;
	const struct rule_test_event *right = *(const struct rule_test_event *const *)b;

	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	if (left->thread != right->thread)
		return left->thread < right->thread ? -1 : 1;
	if (left->start_ns != right->start_ns)
		return left->start_ns < right->start_ns ? -1 : 1;
	return left->end_ns < right->end_ns ? -1 : left->end_ns > right->end_ns;
}

static const struct rule_test_event **sorted_events(const struct rule_test *test)
{
	const struct rule_test_event **events = memory_new(test->event_count + 1, sizeof *events);

	for (uint32_t i = 0; i < test->event_count; i++)
		events[i] = &test->events[i];
	qsort(events, test->event_count, sizeof *events, compare_events);
	return events;
}

static void add_processes(struct writing *writing)
{
	const struct rule_test_event **events = sorted_events(writing->test);
	const struct rule_test_event **next = events;

	for (uint32_t rank = 0; rank < writing->size; rank++) {
		uint32_t thread = UINT32_MAX;
		add_process(writing, rank);
		for (; *next && (*next)->rank == rank; next++) {
			if ((*next)->thread != thread)
				text_add(writing->out, "thread %u\n", (*next)->thread);
			thread = (*next)->thread;
			add_event(writing, *next);
		}
	}
	free(events);
}

void rule_test_trace(const struct rulebook *book, const struct rule_test *test, struct text *out)
{
	struct writing writing = {.test = test, .out = out};

	test_names_init(&writing.names, book);
	collect_things(&writing);
	add_processes(&writing);
	free(writing.comms.names);
	free(writing.wins.names);
	free(writing.files.names);
	free(writing.mutexes.names);
	free(writing.sources.names);
	arena_release(&writing.names.arena);
}

static uint32_t find_key(const char *name)
{
	uint32_t key = 0;

	while (key < FIELD_KEYS && !(field_name(key) && strcmp(field_name(key), name) == 0))
		key++;
	return key;
}

/* What an event has besides its call's fields. */
static bool is_of_event(const char *name)
{
	/* The last two are old names of delays. */
	static const char *const names[] = {"polls",        "busy",          "delay_before",
	                                    "delay_inside", "stolen_before", "stolen_inside"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool is_special_rank(const char *value)
{
	for (size_t i = 0; special_rank_names[i]; i++)
		if (strcmp(special_rank_names[i], value) == 0)
			return true;
	return false;
}

static bool is_whole(const char *value)
{
	char *end;

	strtoll(value, &end, 10);
	return *value && *value != ' ' && !*end;
}

static bool is_fitting(enum field_form form, const char *value)
{
	switch (form) {
	case FORM_rank:
		return is_whole(value) || is_special_rank(value);
	case FORM_integer:
	case FORM_opens:
		return is_whole(value);
	default:
		return true;
	}
}

/* Of an event that stands for several calls, not of a call: behind all fields. */
static bool is_of_polls(const struct rule_test_field *field)
{
	return (strcmp(field->name, "polls") == 0 || strcmp(field->name, "busy") == 0) &&
	       is_whole(field->value);
}

static enum status fail_unknown(const struct rule_test_event *event, const char *name)
{
	struct nearest nearest = {.word = name};

	for (uint32_t key = 0; key < FIELD_KEYS; key++)
		if (field_name(key))
			nearest_offer(&nearest, field_name(key));
	if (nearest_found(&nearest))
		return fail("%s:%u: unknown field '%s' of '%s': did you mean '%s'?", event->origin.file,
		            event->origin.line, name, event->function, nearest_found(&nearest));
	return fail("%s:%u: unknown field '%s' of '%s': 'tarry dump' shows which there are",
	            event->origin.file, event->origin.line, name, event->function);
}

static enum status check_field(const struct test_names *names, const struct rule_test_event *event,
                               const struct rule_test_field *field)
{
	uint32_t key = find_key(field->name);
	bool is_own = is_of_event(field->name);
	const char *form = param_form(names, event->function, field->name);

	if (is_of_polls(field) || (form && (strcmp(form, "value") != 0 || is_whole(field->value))))
		return OK;
	if (form)
		return fail("%s:%u: '%s' cannot be %s=%s: a whole number is needed", event->origin.file,
		            event->origin.line, event->function, field->name, field->value);
	if (key == FIELD_KEYS && !is_own)
		return fail_unknown(event, field->name);
	if (!is_fitting(is_own ? FORM_integer : field_form(key), field->value))
		return fail("%s:%u: '%s' cannot be %s=%s: a whole number is needed", event->origin.file,
		            event->origin.line, event->function, field->name, field->value);
	return OK;
}

enum status rule_test_fields(const struct rulebook *book, const struct rule_test *test)
{
	struct test_names names;
	enum status status = OK;

	test_names_init(&names, book);
	for (uint32_t i = 0; i < test->event_count; i++)
		for (uint32_t j = 0; j < test->events[i].field_count && status == OK; j++)
			status = check_field(&names, &test->events[i], &test->events[i].fields[j]);
	arena_release(&names.arena);
	return status;
}
