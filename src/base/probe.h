/* The interface between the recorder and the wrappers that are generated from a user's tracing rules.
 * Wrappers do not depend on MPI and are loaded into every process of a job. In a process that does not
 * record, `begin` is NULL, and each wrapper calls its function directly.
 *
 * This file becomes a part of the generated C file, so it includes only the C library. Every change of it
 * must change PROBE_VERSION. */
#ifndef TARRY_BASE_PROBE_H
#define TARRY_BASE_PROBE_H

#include <stdint.h>

enum { PROBE_VERSION = 1, PROBES_MAX = 128, PROBE_VALUES_MAX = 32, PROBE_NAMES_MAX = 256 };

enum probe_kind { PROBE_INTEGER, PROBE_REAL, PROBE_TEXT };

struct probe_parameter {
	const char *name;
	uint32_t kind; /* enum probe_kind; a real is the bits of a double, a text the result of `text` */
};

/* A traced function. */
struct probe {
	const char *function;
	const struct probe_parameter *parameters;
	uint32_t parameter_count;
	uint32_t number;     /* in the table */
	uint32_t first_name; /* of its parameters in the list of all names */
	uint32_t is_seen;    /* set by the recorder with the first call */
	void *real;          /* the wrapped function; NULL: not found yet */
};

struct probe_table {
	uint32_t version;
	uint32_t count;
	struct probe *probes;
};

enum { PROBE_KEY_WORDS = 2 }; /* before the values of a key, for the recorder */

/* The library that is loaded first has the only instance. */
struct probe_link {
	struct probe_table *table; /* set by the wrappers */
	/* Set by the recorder while it records. `begin` returns NULL for a call that must not be recorded. */
	void *(*begin)(struct probe *probe, const void *site);
	int64_t (*text)(const char *text);
	uint64_t (*now)(void);
	/* `key` has PROBE_KEY_WORDS words of room before the values. */
	void (*end)(struct probe *probe, void *begun, const void *site, uint64_t start, uint64_t end,
	            int64_t *key);
};

#endif
