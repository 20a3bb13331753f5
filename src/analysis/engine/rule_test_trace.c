/* The calls of a test as the text of a trace. Identities are named freely: `comm=halves` is a communicator of those ranks
 * that name it; if none is named, MPI_COMM_WORLD, and for functions of UPC and OpenSHMEM
 * the team of all threads or PEs. */
#include "analysis/engine/rule_test_run.h"
#include "analysis/rules/call_arguments.h"
#include "base/file_hooks.h"
#include "base/memory.h"
#include "calls/calls.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

#define WORLD "world"
#define TEAM "upc"
#define PES "shmem"
#define CPUS "cpus"
#define FILE_USE "tarry_file"

/* Standard sends up to this size do not wait for their receivers in tests. */
enum { EAGER_BYTES = 4096 };

/* Names of one kind of object, in the order of their first use. */
struct named_objects {
	const char **names;
	size_t count;
};

/* Kinds of objects by the field that names one. Their identities are separate. */
enum thing_kind { THING_COMMS, THING_WINS, THING_FILES, THING_MUTEXES, THING_SOURCES, THING_KINDS };

static const struct {
	const char *field, *other_field;
	size_t first;
} thing_kinds[THING_SOURCES] = {
	[THING_COMMS] = {"comm", "newcomm", 0},
	[THING_WINS] = {"win", NULL, 0x1000},
	[THING_FILES] = {"file", NULL, 0x2000},
	[THING_MUTEXES] = {"mutex", NULL, 0x3000},
};

/* Further kinds of fields in addition to those of a trace. */
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
	struct named_objects things[THING_KINDS];
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

/* The value of a field; NULL: the event has no such field. */
static const char *find_value(const struct rule_test_event *event, const char *name)
{
	for (uint32_t i = 0; i < event->field_count; i++)
		if (strcmp(event->fields[i].name, name) == 0)
			return event->fields[i].value;
	return NULL;
}

/* The default communicator or window of a call; NULL: it has none. */
static const char *default_thing(const struct rule_test_event *event, const char *kind)
{
	const struct call_info *call = call_find(event->function);
	const char *found = call ? strstr(call->kinds, kind) : NULL;
	size_t length = strlen(kind);

	while (found &&
	       !((found == call->kinds || found[-1] == ' ') && (!found[length] || found[length] == ' ')))
		found = strstr(found + 1, kind);
	if (!found || find_value(event, kind))
		return NULL;
	return call_is_shmem(call) ? PES : call_is_pgas(call) ? TEAM : WORLD;
}

/* NULL: it has none. */
static const char *thing_of(const struct rule_test_event *event, enum thing_kind kind)
{
	const char *field = thing_kinds[kind].field, *value = find_value(event, field);

	return value || kind > THING_WINS ? value : default_thing(event, field);
}

static bool is_in(const struct writing *writing, const char *comm, uint32_t rank)
{
	for (uint32_t i = 0; i < writing->test->event_count; i++) {
		const struct rule_test_event *event = &writing->test->events[i];
		const char *name = thing_of(event, THING_COMMS);
		if (event->rank == rank && name && strcmp(name, comm) == 0)
			return true;
	}
	return strcmp(comm, WORLD) == 0;
}

static void add_comm(struct writing *writing, size_t number, uint32_t rank)
{
	const char *name = writing->things[THING_COMMS].names[number];
	struct text members = {0};
	uint32_t size = 0, place = 0;

	/* As in a trace, each thread of UPC and each PE lists only itself. */
	if (strcmp(name, TEAM) == 0 || strcmp(name, PES) == 0) {
		text_add(writing->out, "comm 0x%zx parent=0x0 kind=%s rank=%u size=%u remote=0 \"%s\"\n",
		         number + 1, name, rank, writing->size,
		         strcmp(name, TEAM) == 0 ? "UPC threads" : "all PEs");
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

/* The CPUs of a process are given as a field of any of its calls. */
static const char *cpus_of(const struct rule_test *test, uint32_t rank)
{
	const char *found = NULL;

	for (uint32_t i = 0; i < test->event_count && !found; i++)
		found = test->events[i].rank == rank ? find_value(&test->events[i], CPUS) : NULL;
	return found;
}

static void add_process(struct writing *writing, uint32_t rank)
{
	const char *cpus = cpus_of(writing->test, rank);
	const struct named_objects *sources = &writing->things[THING_SOURCES];

	text_add(writing->out, "process world=1 rank=%u size=%u run=1\nproperty host \"node\"\n", rank,
	         writing->size);
	if (cpus) {
		text_add(writing->out, "property " CPUS " ");
		text_add_quoted(writing->out, cpus);
		text_add(writing->out, "\n");
	}
	text_add(writing->out, "clock monotonic 1000000000 tick=0 ns=0\n");
	text_add(writing->out, "eager %d node\neager %d network\n", EAGER_BYTES, EAGER_BYTES);
	for (size_t i = 0; i < writing->things[THING_COMMS].count; i++)
		add_comm(writing, i, rank);
	for (enum thing_kind kind = THING_WINS; kind <= THING_FILES; kind++)
		for (size_t i = 0; i < writing->things[kind].count; i++)
			text_add(writing->out, "object %s 0x%zx comm=0x1 size=0 unit=1 \"%s\"\n",
			         thing_kinds[kind].field, thing_kinds[kind].first + i + 1,
			         writing->things[kind].names[i]);
	for (size_t i = 0; i < sources->count; i++) {
		text_add(writing->out, "source %zu ", i + 1);
		text_add_quoted(writing->out, sources->names[i]);
		text_add(writing->out, " \"test\"\n");
	}
}

/* How a trace stores values that rules need in addition to its fields: a parameter of a function outside MPI,
 * or an argument of an MPI function. NULL: it is a field of the trace. */
static const char *param_form(const struct test_names *names, const char *function, const char *name)
{
	const struct rule_argument *argument;

	for (size_t i = 0; i < names->book->type_count; i++) {
		const struct event_type *type = names->book->types[i];
		if (!type->prototype || strcmp(type->prototype->function, function) != 0)
			continue;
		for (uint32_t j = 0; j < type->column_count; j++) {
			const struct column *column = &type->columns[j];
			if (column->value && strcmp(column->name, name) == 0)
				return column->type.base == TYPE_TEXT ? "text"
				       : column->type.is_real         ? "real"
				                                      : "value";
		}
	}
	argument = rule_argument_find(names->arguments, names->argument_count, function, name);
	return !argument ? NULL : argument_is_text(&argument->what) ? "text" : "value";
}

static void add_field(struct writing *writing, const char *function, const char *name, const char *value)
{
	const char *form = param_form(&writing->names, function, name);
	bool is_text = form ? strcmp(form, "text") == 0
	                    : strcmp(name, "region") == 0 || strcmp(name, "port") == 0;

	for (enum thing_kind kind = 0; kind < THING_SOURCES && !form; kind++) {
		const char *other = thing_kinds[kind].other_field;
		if (strcmp(name, thing_kinds[kind].field) == 0 || (other && strcmp(name, other) == 0)) {
			text_add(writing->out, " %s=0x%zx", name,
			         thing_kinds[kind].first + number_of(&writing->things[kind], value));
			return;
		}
	}
	if (form)
		text_add(writing->out, " param=\"%s\" %s=", name, form);
	else
		text_add(writing->out, " %s=", name);
	if (is_text)
		text_add_quoted(writing->out, value);
	else
		text_add(writing->out, "%s", value);
}

/* Summaries of files, as calls of a function that does not exist. */
static bool is_file(const struct rule_test_event *event)
{
	return strcmp(event->function, FILE_USE) == 0;
}

static const char *value_or_0(const struct rule_test_event *event, const char *name)
{
	const char *value = find_value(event, name);

	return value ? value : "0";
}

/* The class of sizes of such accesses. */
static uint64_t class_of(const char *calls, const char *bytes)
{
	const uint64_t count = strtoull(calls, NULL, 10),
		       each = count ? strtoull(bytes, NULL, 10) / count : 0;
	uint64_t size_class = 0;

	while (size_class + 1 < FILE_SIZE_CLASSES &&
	       each >> (FILE_SIZE_FIRST_BITS + FILE_SIZE_STEP_BITS * size_class))
		size_class++;
	return size_class;
}

static void add_file(struct writing *writing, const struct rule_test_event *event, uint32_t number)
{
	static const char *const accesses[][4] = {{"read", "reads", "read", "read_time"},
	                                          {"write", "writes", "written", "write_time"}};
	const char *path = find_value(event, "path");

	text_add(writing->out,
	         "file %u opens=%s stats=%s seeks=%s syncs=%s inside=%s first=%lld last=%lld end=%s", number,
	         value_or_0(event, "opens"), value_or_0(event, "queries"), value_or_0(event, "seeks"),
	         value_or_0(event, "syncs"), value_or_0(event, "other_time"), (long long)event->start_ns,
	         (long long)event->end_ns, value_or_0(event, "extent"));
	if (*event->file)
		text_add(writing->out, " module=%zu offset=%u",
		         number_of(&writing->things[THING_SOURCES], event->file), event->line);
	text_add(writing->out, " ");
	text_add_quoted(writing->out, path ? path : "");
	text_add(writing->out, "\n");
	for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
		const char *calls = value_or_0(event, accesses[i][1]),
			   *bytes = value_or_0(event, accesses[i][2]);
		if (find_value(event, accesses[i][1]))
			text_add(writing->out, "access %u %s system class=%llu calls=%s bytes=%s inside=%s\n",
			         number, accesses[i][0], (unsigned long long)class_of(calls, bytes), calls,
			         bytes, value_or_0(event, accesses[i][3]));
	}
}

static void add_files(struct writing *writing, uint32_t rank)
{
	uint32_t number = 0;

	for (uint32_t i = 0; i < writing->test->event_count; i++)
		if (writing->test->events[i].rank == rank && is_file(&writing->test->events[i]))
			add_file(writing, &writing->test->events[i], ++number);
}

static void add_event(struct writing *writing, const struct rule_test_event *event)
{
	if (is_file(event))
		return;
	text_add(writing->out, "%lld %lld ", (long long)event->start_ns, (long long)event->end_ns);
	text_add_word(writing->out, event->function);
	if (*event->file)
		text_add(writing->out, " site=%zu+0x%x",
		         number_of(&writing->things[THING_SOURCES], event->file), event->line);
	for (enum thing_kind kind = THING_COMMS; kind <= THING_WINS; kind++) {
		const char *name = default_thing(event, thing_kinds[kind].field);
		if (name)
			add_field(writing, "", thing_kinds[kind].field, name);
	}
	for (uint32_t i = 0; i < event->field_count; i++)
		if (strcmp(event->fields[i].name, CPUS) != 0)
			add_field(writing, event->function, event->fields[i].name, event->fields[i].value);
	text_add(writing->out, "\n");
}

/* The calls of one thread, by time; nested calls follow the outer one. */
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

void rule_test_trace(const struct rulebook *book, const struct rule_test *test, struct text *out)
{
	struct writing writing = {.test = test, .out = out};
	const struct rule_test_event **events = memory_new(test->event_count + 1, sizeof *events);
	const struct rule_test_event **next = events;

	test_names_init(&writing.names, book);
	number_of(&writing.things[THING_COMMS], WORLD);
	for (uint32_t i = 0; i < writing.test->event_count; i++) {
		const struct rule_test_event *event = &writing.test->events[i];
		writing.size = event->rank >= writing.size ? event->rank + 1 : writing.size;
		for (enum thing_kind kind = 0; kind < THING_SOURCES; kind++)
			if (thing_of(event, kind))
				number_of(&writing.things[kind], thing_of(event, kind));
		if (*event->file)
			number_of(&writing.things[THING_SOURCES], event->file);
	}
	for (uint32_t i = 0; i < test->event_count; i++)
		events[i] = &test->events[i];
	qsort(events, test->event_count, sizeof *events, compare_events);
	for (uint32_t rank = 0; rank < writing.size; rank++) {
		uint32_t thread = UINT32_MAX;
		add_process(&writing, rank);
		add_files(&writing, rank);
		for (; *next && (*next)->rank == rank; next++) {
			if ((*next)->thread != thread)
				text_add(out, "thread %u\n", (*next)->thread);
			thread = (*next)->thread;
			add_event(&writing, *next);
		}
	}
	free(events);
	for (enum thing_kind kind = 0; kind < THING_KINDS; kind++)
		free(writing.things[kind].names);
	arena_release(&writing.names.arena);
}

static bool is_one_of(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static bool is_whole(const char *value)
{
	char *end;

	strtoll(value, &end, 10);
	return *value && *value != ' ' && !*end;
}

static enum status check_field(const struct test_names *names, const struct rule_test_event *event,
                               const struct rule_test_field *field)
{
	/* Fields of an event, not of its call. The last two are old names of delays. */
	static const char *const of_event[] = {
		"polls", "busy", "delay_before", "delay_inside", "stolen_before", "stolen_inside", NULL};
	const char *form = param_form(names, event->function, field->name), *const value = field->value;
	bool is_own = is_one_of(of_event, field->name), is_integer = is_own;
	struct nearest nearest = {.word = field->name};
	uint32_t key = 0;

	if (strcmp(field->name, CPUS) == 0 || is_file(event))
		return OK;
	while (key < FIELD_KEYS && !(field_name(key) && strcmp(field_name(key), field->name) == 0))
		key++;
	if (form) {
		is_integer = strcmp(form, "value") == 0;
	} else if (key < FIELD_KEYS && !is_own) {
		bool is_special = field_form(key) == FORM_rank && is_one_of(special_rank_names, value);
		is_integer = !is_special &&
		             (field_form(key) == FORM_rank || field_form(key) == FORM_integer ||
		              field_form(key) == FORM_opens);
	} else if (!is_own) {
		for (key = 0; key < FIELD_KEYS; key++)
			if (field_name(key))
				nearest_offer(&nearest, field_name(key));
		if (nearest_found(&nearest))
			return fail("%s:%u: unknown field '%s' of '%s': did you mean '%s'?",
			            event->origin.file, event->origin.line, field->name, event->function,
			            nearest_found(&nearest));
		return fail("%s:%u: unknown field '%s' of '%s': 'tarry dump' shows the fields of calls",
		            event->origin.file, event->origin.line, field->name, event->function);
	}
	if (is_integer && !is_whole(value))
		return fail("%s:%u: '%s' cannot be %s=%s: a whole number is needed", event->origin.file,
		            event->origin.line, event->function, field->name, value);
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
