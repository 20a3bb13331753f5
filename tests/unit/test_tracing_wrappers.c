/* Wrappers of traced functions: their source, compilation and cache, and their behaviour around a call. */
#include "analysis/wrappers/wrappers.h"
#include "base/probe.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ARGUMENTS = 4, COLUMNS = 6, TYPES = 3 };

/* Where the wrappers look for the recorder: this program is one. */
__attribute__((visibility("default"))) struct probe_link tarry_probe_link;

static char scratch[64];
static struct arena arena;

/* Rules as the language would load them. */
static struct expr argument(uint32_t number, enum base_type base, bool is_real)
{
	return (struct expr){.kind = EXPR_ARGUMENT,
	                     .type = {.base = base, .is_real = is_real},
	                     .origin = {"my.rules", 3, 7},
	                     .member = number};
}

static struct expr *kept(struct expr expr)
{
	struct expr *copy = arena_new(&arena, struct expr);

	*copy = expr;
	return copy;
}

static struct expr *number_argument(uint32_t number)
{
	return kept(argument(number, TYPE_NUMBER, false));
}

static struct expr *literal(int64_t number)
{
	return kept((struct expr){.kind = EXPR_LITERAL, .type = {.base = TYPE_NUMBER}, .number = number});
}

static struct expr *binary(enum operator op, struct expr *a, struct expr *b, bool is_real)
{
	struct expr **args = arena_array(&arena, struct expr *, 2);

	args[0] = a;
	args[1] = b;
	return kept((struct expr){.kind = EXPR_BINARY,
	                          .type = {.base = TYPE_NUMBER, .is_real = is_real},
	                          .op = op,
	                          .args = args,
	                          .arg_count = 2});
}

static struct event_type *event(const char *name, const char *function, const char *result)
{
	struct event_type *type = arena_new(&arena, struct event_type);
	struct prototype *prototype = arena_new(&arena, struct prototype);

	*prototype = (struct prototype){.function = function,
	                                .result = result,
	                                .arguments = arena_array(&arena, struct argument, ARGUMENTS),
	                                .text = function};
	*type = (struct event_type){.name = name,
	                            .origin = {"my.rules", 2, 1},
	                            .form = FORM_CALL,
	                            .prototype = prototype,
	                            .columns = arena_array(&arena, struct column, COLUMNS)};
	return type;
}

static void takes(struct event_type *type, const char *c_type)
{
	struct prototype *prototype = (struct prototype *)type->prototype;

	prototype->arguments[prototype->argument_count++] = (struct argument){"any", c_type};
}

static void has(struct event_type *type, const char *name, struct expr *value, bool is_out)
{
	type->columns[type->column_count++] = (struct column){.name = name,
	                                                      .type = value->type,
	                                                      .value = value,
	                                                      .is_out = is_out,
	                                                      .origin = {"my.rules", 3, 5}};
}

static struct event_type *write_event(const char *name)
{
	struct event_type *type = event(name, "write", "ssize_t");

	takes(type, "int");
	takes(type, "const void *");
	takes(type, "size_t");
	has(type, "fd", number_argument(0), false);
	has(type, "asked", number_argument(2), false);
	has(type, "missing", binary(OP_SUBTRACT, number_argument(2), number_argument(ARGUMENT_RESULT), false),
	    true);
	return type;
}

static struct wrappers wrappers_of(struct event_type **types, size_t count)
{
	struct rulebook book = {.types = types, .type_count = count};
	struct wrappers wrappers;

	assert_int_equal(wrappers_write(&book, &arena, &wrappers), OK);
	return wrappers;
}

static void refused(struct event_type **types, size_t count, const char *sentence)
{
	struct rulebook book = {.types = types, .type_count = count};
	struct wrappers wrappers;

	assert_int_equal(wrappers_write(&book, &arena, &wrappers), FAILED);
	if (!strstr(trail_text(), sentence))
		fail_msg("'%s' is not in: %s", sentence, trail_text());
}

static const char *built(struct event_type *type)
{
	struct wrappers wrappers = wrappers_of(&type, 1);
	const char *library = NULL;

	if (wrappers_build(&wrappers, &arena, &library) != OK)
		fail_msg("%s", trail_text());
	return library;
}

/* The wrapper alone, whatever else is called so. */
static void *wrapper_in(const char *library, const char *function)
{
	void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	assert_non_null(loaded);
	return dlsym(loaded, function);
}

/* The recorder's input. */
static struct {
	int begun, ended;
	int64_t values[PROBE_VALUES_MAX];
	char text[64];
	const char *function, *name;
	bool refuses;
	uint64_t clock;
} told;

static void *begin(struct probe *probe, const void *site)
{
	assert_non_null(site);
	told.function = probe->function;
	told.begun++;
	errno = ENOTTY;
	return told.refuses ? NULL : &told;
}

static int64_t text(const char *text)
{
	snprintf(told.text, sizeof told.text, "%s", text ? text : "none");
	return 5;
}

static uint64_t now(void)
{
	return ++told.clock;
}

static void end(struct probe *probe, void *begun, const void *site, uint64_t start, uint64_t end,
                int64_t *key)
{
	assert_ptr_equal(begun, &told);
	assert_non_null(site);
	assert_true(start < end);
	memcpy(told.values, key + PROBE_KEY_WORDS, probe->parameter_count * sizeof *key);
	told.name = probe->parameters[0].name;
	told.ended++;
	errno = ENOTTY;
}

static void listen(void)
{
	memset(&told, 0, sizeof told);
	tarry_probe_link.text = text;
	tarry_probe_link.now = now;
	tarry_probe_link.end = end;
	tarry_probe_link.begin = begin;
}

typedef ssize_t write_function(int, const void *, size_t);

static void a_call_is_told_with_its_values(void **state)
{
	write_function *wrapper = (write_function *)(uintptr_t)wrapper_in(built(write_event("io")), "write");
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	listen();
	errno = 7;
	assert_int_equal(wrapper(ends[1], "hello", 5), 5);
	assert_int_equal(errno, 7);
	assert_int_equal(told.begun, 1);
	assert_int_equal(told.ended, 1);
	assert_string_equal(told.function, "write");
	assert_string_equal(told.name, "fd");
	assert_int_equal(told.values[0], ends[1]);
	assert_int_equal(told.values[1], 5);
	assert_int_equal(told.values[2], 0);
	assert_int_equal(wrapper(-1, "hello", 5), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(told.values[2], 6);
}

static void a_call_that_nobody_wants_goes_through(void **state)
{
	write_function *wrapper = (write_function *)(uintptr_t)wrapper_in(built(write_event("io")), "write");

	(void)state;
	listen();
	told.refuses = true;
	errno = 7;
	assert_int_equal(wrapper(-1, "hello", 5), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(told.begun, 1);
	tarry_probe_link.begin = NULL;
	errno = 7;
	assert_int_equal(wrapper(-1, "hello", 5), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(told.begun, 1);
	assert_int_equal(told.ended, 0);
}

static void texts_and_reals_are_told(void **state)
{
	struct event_type *type = event("parse", "strtod", "double");
	double (*wrapper)(const char *, char **), seen;
	char *rest;

	(void)state;
	takes(type, "const char *");
	takes(type, "char **");
	has(type, "from", kept(argument(0, TYPE_TEXT, false)), false);
	has(type, "half",
	    binary(OP_DIVIDE, kept(argument(ARGUMENT_RESULT, TYPE_NUMBER, true)), literal(2), true), true);
	wrapper = (double (*)(const char *, char **))(uintptr_t)wrapper_in(built(type), "strtod");
	listen();
	assert_true(wrapper("2.5 m", &rest) == 2.5);
	assert_string_equal(rest, " m");
	assert_string_equal(told.text, "2.5 m");
	assert_int_equal(told.values[0], 5);
	memcpy(&seen, &told.values[1], sizeof seen);
	assert_true(seen == 1.25);
	assert_true(wrapper("-0", &rest) == 0);
	assert_int_equal(told.values[1], 0); /* not the bits of -0.0, which mean absent */
}

static void no_formula_stops_the_program(void **state)
{
	struct event_type *type = event("quotient", "div", "div_t");
	div_t (*wrapper)(int, int), result;

	(void)state;
	takes(type, "int");
	takes(type, "int");
	has(type, "ratio", binary(OP_DIVIDE, number_argument(0), literal(0), false), false);
	has(type, "rest", binary(OP_MODULO, number_argument(0), literal(0), false), false);
	has(type, "huge", binary(OP_DIVIDE, literal(INT64_MIN + 1), literal(-1), false), false);
	wrapper = (div_t(*)(int, int))(uintptr_t)wrapper_in(built(type), "div");
	listen();
	result = wrapper(7, 2);
	assert_int_equal(result.quot, 3);
	assert_int_equal(result.rem, 1);
	assert_int_equal(told.values[0], 0);
	assert_int_equal(told.values[1], 0);
	assert_int_equal(told.values[2], INT64_MAX);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* While the function runs, other functions that it calls are recorded too. */
static void types_of_every_kind_are_taken(void **state)
{
	struct event_type *type = event("sorting", "qsort", "void");
	void (*wrapper)(void *, size_t, size_t, int (*)(const void *, const void *));
	int numbers[] = {3, 1, 2};

	(void)state;
	takes(type, "void *");
	takes(type, "size_t");
	takes(type, "size_t");
	takes(type, "int (*)(const void *, const void *)");
	has(type, "bytes", binary(OP_MULTIPLY, number_argument(1), number_argument(2), false), false);
	wrapper = (void (*)(void *, size_t, size_t, int (*)(const void *, const void *)))(
		uintptr_t)wrapper_in(built(type), "qsort");
	listen();
	wrapper(numbers, 3, sizeof *numbers, compare);
	assert_int_equal(numbers[0], 1);
	assert_int_equal(told.values[0], 12);

	type = event("unknown", "tarry-less", "struct nowhere *");
	((struct prototype *)type->prototype)->function = "made_up_function";
	takes(type, "const struct nowhere *");
	has(type, "n", literal(1), false);
	struct nowhere *(*missing)(const struct nowhere *) = (struct nowhere * (*)(const struct nowhere *))(
		uintptr_t)wrapper_in(built(type), "made_up_function");
	assert_null(missing(NULL)); /* no library has it */
}

static void what_harms_is_refused(void **state)
{
	struct event_type *types[TYPES] = {event("a", "malloc", "void *")};

	(void)state;
	refused(types, 1, "my.rules:2:1: 'malloc' cannot be traced: the linker and the recorder allocate");
	types[0] = event("a", "execve", "int");
	refused(types, 1, "it does not return");
	types[0] = event("a", "MPI_Send", "int");
	refused(types, 1, "name it without a prototype");
	assert_null(tracing_refusal("write"));
	assert_null(tracing_refusal("dladdress"));
	assert_non_null(tracing_refusal("dlsym"));
}

static void events_of_one_function_agree(void **state)
{
	struct event_type *types[TYPES] = {write_event("a"), write_event("b")};
	struct wrappers wrappers = wrappers_of(types, 2);

	(void)state;
	assert_int_equal(wrappers.count, 1);
	assert_string_equal(wrappers.traced[0].event, "a");
	has(types[1], "more", literal(1), false);
	assert_int_equal(wrappers_of(types, 2).count, 1);
	types[1]->columns[0].value = literal(3);
	refused(types, 2, "my.rules:3:5: 'fd' of 'write' means something else in event 'a'");
	types[1] = event("b", "write", "int");
	refused(types, 2, "'write' has another prototype in event 'a'");
	types[1] = event("c", "other", "int");
	has(types[1], "n", kept((struct expr){.kind = EXPR_RUN, .origin = {"my.rules", 9, 4}}), false);
	refused(types, 2, "my.rules:9:4: this is not known while the program runs");
}

static void rules_without_functions_need_no_wrappers(void **state)
{
	struct event_type type = {.form = FORM_CALL}, *types[] = {&type};

	(void)state;
	assert_int_equal(wrappers_of(types, 1).count, 0);
}

static size_t files_in(const char *folder, const char *suffix)
{
	DIR *listing = opendir(folder);
	size_t count = 0;

	for (struct dirent *entry; listing && (entry = readdir(listing));)
		count += strstr(entry->d_name, suffix) != NULL;
	if (listing)
		closedir(listing);
	return count;
}

static const char *below(const char *name)
{
	return arena_format(&arena, "%s/%s", scratch, name);
}

static void what_was_compiled_is_kept(void **state)
{
	struct stat before, after;
	const char *first = built(write_event("io")), *second;

	(void)state;
	assert_int_equal(stat(first, &before), 0);
	second = built(write_event("io"));
	assert_string_equal(first, second);
	assert_int_equal(stat(second, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(unlink(first), 0);
	assert_int_equal(symlink("/bin/true", first), 0); /* not ours: it is made again */
	built(write_event("io"));
	assert_int_equal(stat(second, &after), 0);
	assert_int_not_equal(before.st_ino, after.st_ino);
	assert_non_null(wrapper_in(second, "write"));
	FILE *file = fopen(below("junk"), "w");
	assert_non_null(file);
	fclose(file);
	assert_int_equal(rename(below("junk"), second), 0); /* as a machine that went down may leave it */
	built(write_event("io"));
	assert_int_equal(stat(second, &after), 0);
	assert_true(after.st_size > 100);
	assert_int_equal(files_in(below("cache/tarry"), ".log"), 0);
	assert_int_equal(stat(below("cache/tarry"), &after), 0);
	assert_int_equal(after.st_mode & 0777, 0700);
}

static void several_may_compile_at_once(void **state)
{
	struct event_type *type = event("timing", "labs", "long");
	int status, failed = 0;

	(void)state;
	takes(type, "long");
	has(type, "n", number_argument(0), false);
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		assert_true(child >= 0);
		if (!child)
			_exit(wrapper_in(built(type), "labs") == NULL);
	}
	while (wait(&status) > 0)
		failed |= status;
	assert_int_equal(failed, 0);
}

static void a_place_that_is_none_is_not_used(void **state)
{
	const char *library;

	(void)state;
	setenv("XDG_CACHE_HOME", "/dev/null/cache", 1);
	library = built(write_event("io"));
	assert_true(strncmp(library, below("tmp"), strlen(below("tmp"))) == 0);
	assert_int_equal(mkdir(below("open"), 0700), 0);
	assert_int_equal(mkdir(below("open/tarry"), 0700), 0);
	assert_int_equal(chmod(below("open/tarry"), 0777), 0);
	setenv("XDG_CACHE_HOME", below("open"), 1);
	assert_string_equal(built(write_event("io")), library);
	setenv("XDG_CACHE_HOME", below("with space"), 1);
	assert_string_equal(built(write_event("io")), library);
	setenv("XDG_CACHE_HOME", below("cache"), 1);
}

static void without_a_compiler_it_is_said(void **state)
{
	struct event_type *type = write_event("io");
	struct wrappers wrappers = wrappers_of(&type, 1);
	const char *library, *path = arena_text(&arena, getenv("PATH"));

	(void)state;
	setenv("CC", "/nowhere/cc -O1", 1);
	assert_int_equal(wrappers_build(&wrappers, &arena, &library), FAILED);
	assert_string_equal(trail_text(), "the variable CC names '/nowhere/cc -O1', which cannot be run");
	unsetenv("CC");
	setenv("PATH", "/nowhere", 1);
	assert_int_equal(wrappers_build(&wrappers, &arena, &library), FAILED);
	assert_non_null(strstr(trail_text(), "there is no C compiler"));
	setenv("PATH", path, 1);
	type = event("dataset", "H5Dwrite", "hid_t");
	has(type, "n", literal(1), false);
	wrappers = wrappers_of(&type, 1);
	assert_int_equal(wrappers_build(&wrappers, &arena, &library), FAILED);
	assert_non_null(strstr(trail_text(), "'hid_t'"));
}

static int set_up(void **state)
{
	(void)state;
	snprintf(scratch, sizeof scratch, "/tmp/tarry-unit-XXXXXX");
	if (!mkdtemp(scratch) || mkdir(below("tmp"), 0700) != 0)
		return 1;
	setenv("XDG_CACHE_HOME", below("cache"), 1);
	setenv("TMPDIR", below("tmp"), 1);
	return 0;
}

static int tear_down(void **state)
{
	char command[100];
	int code;

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	code = system(command);
	arena_release(&arena);
	return code;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_told_with_its_values),
		cmocka_unit_test(a_call_that_nobody_wants_goes_through),
		cmocka_unit_test(texts_and_reals_are_told),
		cmocka_unit_test(no_formula_stops_the_program),
		cmocka_unit_test(types_of_every_kind_are_taken),
		cmocka_unit_test(what_harms_is_refused),
		cmocka_unit_test(events_of_one_function_agree),
		cmocka_unit_test(rules_without_functions_need_no_wrappers),
		cmocka_unit_test(what_was_compiled_is_kept),
		cmocka_unit_test(several_may_compile_at_once),
		cmocka_unit_test(a_place_that_is_none_is_not_used),
		cmocka_unit_test(without_a_compiler_it_is_said),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
