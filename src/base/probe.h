/* How the wrappers that are made from a user's tracing rules meet the recorder. Wrappers know nothing of MPI, and are loaded into
 * every process of a job: a process that records nothing leaves `begin` empty, and then each goes straight on to
 * the function that it stands before.
 *
 * This text is a part of the C file that the wrappers are compiled from, so it includes nothing but the C library. Whoever
 * changes it changes PROBE_VERSION. */
#ifndef TARRY_BASE_PROBE_H
#define TARRY_BASE_PROBE_H

#include <stdint.h>

enum { PROBE_VERSION = 1, PROBES_MAX = 128, PROBE_VALUES_MAX = 32, PROBE_NAMES_MAX = 256 };

enum probe_kind { PROBE_INTEGER, PROBE_REAL, PROBE_TEXT };

struct probe_parameter {
	const char *name;
	uint32_t kind; /* enum probe_kind; a real is the bits of a double, a text what `text` gave for it */
};

/* A function that is traced. */
struct probe {
	const char *function;
	const struct probe_parameter *parameters;
	uint32_t parameter_count;
	uint32_t number;     /* in the table */
	uint32_t first_name; /* of its parameters among those of all */
	uint32_t is_seen;    /* set by the recorder with the first call */
	void *real;          /* who serves it; NULL: not found yet */
};

struct probe_table {
	uint32_t version;
	uint32_t count;
	struct probe *probes;
};

enum { PROBE_KEY_WORDS = 2 }; /* of a key before the values: the recorder's own */

/* One of it, in the library that is loaded first. */
struct probe_link {
	struct probe_table *table; /* set by the wrappers */
	/* Set by the recorder while it records. `begin` gives NULL for a call that is not to be recorded. */
	void *(*begin)(struct probe *probe, const void *site);
	int64_t (*text)(const char *text);
	uint64_t (*now)(void);
	/* `key` has PROBE_KEY_WORDS words of room before the values. */
	void (*end)(struct probe *probe, void *begun, const void *site, uint64_t start, uint64_t end,
	            int64_t *key);
};

#endif
