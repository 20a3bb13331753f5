#include "analysis/symbols/demangle.h"

#include "base/text.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *(*read_name)(const char *name, char *room, size_t *bytes, int *status);

/* The C++ library reads its own names. It is there where C++ programs are, and is not needed otherwise. */
static void load_reader(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		library = dlopen("libc++abi.so.1", RTLD_NOW | RTLD_LOCAL);
	if (library)
		*(void **)&read_name = dlsym(library, "__cxa_demangle");
}

/* Where the list of parameters begins, which is the last thing in brackets; the end of the name if there is none. */
static size_t parameters_at(const char *name)
{
	const char *at = strrchr(name, ')');
	int depth = 0;

	for (; at && at > name; at--) {
		depth += *at == ')';
		depth -= *at == '(';
		if (!depth)
			return (size_t)(at - name);
	}
	return strlen(name);
}

/* Of a template, the type that it returns comes first: "void f<int>". Spaces inside of brackets are of its arguments. */
static const char *without_result(const char *name, size_t length)
{
	const char *begin = name;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		depth += name[i] == '<' || name[i] == '(';
		depth -= name[i] == '>' || name[i] == ')';
		if (text_begins(name + i, "operator"))
			break;
		if (name[i] == ' ' && !depth)
			begin = name + i + 1;
	}
	return begin;
}

const char *demangled(struct arena *arena, const char *name)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const char *begin, *kept;
	size_t length;
	char *whole;
	int status = 0;

	if (!text_begins(name, "_Z"))
		return name;
	pthread_once(&once, load_reader);
	whole = read_name ? read_name(name, NULL, NULL, &status) : NULL;
	if (!whole)
		return name;
	length = parameters_at(whole);
	begin = without_result(whole, length);
	kept = arena_bytes_as_text(arena, begin, length - (size_t)(begin - whole));
	free(whole);
	return kept;
}
