#include "job/mpi/python.h"

#include "job/mpi/host.h"
#include "job/mpi/places.h"
#include "job/mpi/sites.h"

#include <dlfcn.h>
#include <string.h>

enum { CODES = 1024, PATH_BYTES = 1024, NAME_BYTES = 128, FRAMES = 128 };

typedef struct object object; /* any Python object */

/* Functions of Python's C API, by their names. */
static struct {
	int (*Py_IsInitialized)(void);
	object *(*PyGILState_GetThisThreadState)(void);
	int (*PyGILState_Ensure)(void);
	void (*PyGILState_Release)(int state);
	object *(*PyEval_GetFrame)(void);          /* borrowed reference */
	object *(*PyFrame_GetBack)(object *frame); /* new reference, like all below */
	object *(*PyFrame_GetCode)(object *frame);
	int (*PyFrame_GetLineNumber)(object *frame);
	object *(*PyObject_GetAttrString)(object *object, const char *name);
	const char *(*PyUnicode_AsUTF8)(object *text); /* owned by the text */
	void (*PyErr_Fetch)(object **type, object **value, object **trace);
	void (*PyErr_Restore)(object *type, object *value, object *trace);
	void (*Py_IncRef)(object *object);
	void (*Py_DecRef)(object *object);
} python;

static const struct {
	const char *name;
	void *target;
} symbols[] = {
#define SYMBOL(name) \
	{ \
#name, &python.name \
	}
	SYMBOL(Py_IsInitialized),
	SYMBOL(PyGILState_GetThisThreadState),
	SYMBOL(PyGILState_Ensure),
	SYMBOL(PyGILState_Release),
	SYMBOL(PyEval_GetFrame),
	SYMBOL(PyFrame_GetBack),
	SYMBOL(PyFrame_GetCode),
	SYMBOL(PyFrame_GetLineNumber),
	SYMBOL(PyObject_GetAttrString),
	SYMBOL(PyUnicode_AsUTF8),
	SYMBOL(PyErr_Fetch),
	SYMBOL(PyErr_Restore),
	SYMBOL(Py_IncRef),
	SYMBOL(Py_DecRef),
#undef SYMBOL
};

/* Known code objects. Each has a reference so that it stays alive; the GIL protects the table. */
static struct {
	object *code;
	uint64_t module;
} codes[CODES];

static bool find_symbols(void)
{
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *found = dlsym(RTLD_DEFAULT, symbols[i].name);
		if (!found)
			return false;
		memcpy(symbols[i].target, &found, sizeof found);
	}
	return true;
}

bool python_is_here(void)
{
	static enum { NOT_LOOKED, ABSENT_HERE, HERE } answer;

	if (answer == NOT_LOOKED)
		answer = find_symbols() ? HERE : ABSENT_HERE;
	return answer == HERE;
}

/* The libraries of mpi4py and ctypes. Other callers may hold locks of their own while they call MPI, so they
 * must not wait for the GIL. */
bool python_runs_in(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return (strncmp(name, "MPI.", 4) == 0 && strstr(path, "/mpi4py/")) ||
	       strncmp(name, "_ctypes.", 8) == 0 || strncmp(name, "libffi.", 7) == 0 ||
	       strncmp(name, "libffi-", 7) == 0;
}

static void copy_text(object *code, const char *attribute, char *out, size_t room)
{
	object *text = python.PyObject_GetAttrString(code, attribute);
	const char *bytes = text ? python.PyUnicode_AsUTF8(text) : NULL;
	size_t size = bytes ? strnlen(bytes, room - 1) : 0;

	if (size)
		memcpy(out, bytes, size);
	out[size] = 0;
	if (text)
		python.Py_DecRef(text);
}

/* Describes a code object to the host; returns the number of its module. */
static uint64_t tell_code(object *code)
{
	char path[PATH_BYTES], name[NAME_BYTES];
	object *type, *value, *trace;
	uint64_t module = site_new_module();

	if (!module)
		return 0;
	python.PyErr_Fetch(&type, &value, &trace);
	copy_text(code, "co_filename", path, sizeof path);
	copy_text(code, "co_qualname", name, sizeof name);
	if (!*name) /* before Python 3.11 */
		copy_text(code, "co_name", name, sizeof name);
	python.PyErr_Restore(type, value, trace);
	host_python_code(module, name, path);
	return module;
}

/* 0: too many. */
static uint64_t module_of(object *code)
{
	size_t at = (uintptr_t)code / 16 % CODES;

	for (size_t tries = 0; tries < CODES; tries++, at = (at + 1) % CODES) {
		if (codes[at].code == code)
			return codes[at].module;
		if (codes[at].code)
			continue;
		python.Py_IncRef(code);
		codes[at].code = code;
		codes[at].module = tell_code(code);
		return codes[at].module;
	}
	return 0;
}

struct python_line {
	uint64_t module;
	uint64_t number;
};

static uint32_t take_lines(struct python_line *lines, uint32_t depth)
{
	object *frame = python.PyEval_GetFrame();
	uint32_t count = 0;

	if (frame)
		python.Py_IncRef(frame);
	while (frame && count < depth && count < FRAMES) {
		object *code = python.PyFrame_GetCode(frame);
		int number = python.PyFrame_GetLineNumber(frame);
		object *back = python.PyFrame_GetBack(frame);

		lines[count++] = (struct python_line){module_of(code), number > 0 ? (uint64_t)number : 0};
		python.Py_DecRef(code);
		python.Py_DecRef(frame);
		frame = back;
	}
	if (frame)
		python.Py_DecRef(frame);
	return count;
}

int64_t python_origin(int64_t site, uint32_t depth)
{
	struct python_line lines[FRAMES];
	uint32_t count, place = NO_PLACE;
	int state;

	if (!python.Py_IsInitialized() || !python.PyGILState_GetThisThreadState())
		return site;
	state = python.PyGILState_Ensure();
	count = take_lines(lines, depth);
	python.PyGILState_Release(state);
	for (uint32_t i = count; i-- > 0;) {
		if (!lines[i].module)
			return site;
		place = place_add(place, lines[i].module, lines[i].number);
		if (place == NO_PLACE)
			return site;
	}
	return count ? place_word(place) : site;
}
