/* The definitions of an archive, as the import needs them. Internal to otf2_*.c.
 *
 * Nothing in an archive is trusted. References may lead nowhere: looking one up gives an item that is not
 * `defined`. A second definition with the same number is ignored and counted. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_IMPORT_DEFINITIONS_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_IMPORT_DEFINITIONS_H

#include "base/array.h"
#include "trace/intern.h"

#include <otf2/otf2.h>
#include <stdbool.h>

/* Definitions of one kind, in the order of the archive. */
struct definition_table {
	struct interner ids;
	char *items; /* each begins with its id */
	size_t room, item_size;
};

struct string_item {
	uint64_t id;
	const char *text;               /* NULL: not defined */
	const struct draft_event *call; /* parsed from it; NULL: not yet */
};

struct attribute_item {
	uint64_t id;
	const char *name;
};

struct place_item {
	uint64_t id;
	const char *file;
	uint32_t line;
	uint32_t source; /* number of the file in the trace */
};

struct region_item {
	uint64_t id;
	const char *name;
	const char *function; /* the MPI function of this name; NULL: part of the program */
	struct place_item place;
	const char *file; /* "": not known */
	uint32_t source;  /* of a part of the program: number of this function of the file in the trace */
	bool is_openmp, is_barrier, is_critical;
};

struct context_item {
	uint64_t id;
	bool defined;
	OTF2_RegionRef region;
	OTF2_SourceCodeLocationRef place;
};

struct node_item {
	uint64_t id;
	const char *name;
	bool is_host;
};

struct group_item {
	uint64_t id;
	bool defined;
	bool is_foreign; /* not of processes, as groups of CUDA streams and of OpenMP threads */
	OTF2_GroupType type;
	uint64_t *members;
	uint32_t count;
};

struct comm_item {
	uint64_t id;
	const char *name;
	OTF2_GroupRef local, remote;
	bool is_inter;
	OTF2_CommRef parent;
};

struct window_item {
	uint64_t id;
	const char *name;
	OTF2_CommRef comm;
};

/* A record that Tarry stored for itself, as text, and its place among others. */
struct own_line {
	uint64_t number;
	const char *text;
};

struct process_item {
	uint64_t id;
	bool defined;
	OTF2_LocationGroupType type;
	OTF2_SystemTreeNodeRef node;
	size_t number;           /* among the importer's processes, from 1; 0: not imported */
	const char *own_process; /* NULL: not written by Tarry */
	ARRAY(struct own_line) own_records;
};

/* A comparison of the location's clock with that of the archive, which OTF2 has applied to all times. */
struct clock_offset {
	uint64_t time; /* by the location's own clock */
	int64_t offset;
	double deviation;
};

struct location_item {
	uint64_t id;
	bool defined;
	ARRAY(struct clock_offset) offsets;
	const char *name;
	OTF2_LocationType type;
	OTF2_LocationGroupRef process;
	const char *own_thread;
	const char *own_clock;
};

struct contents {
	struct arena arena;
	struct definition_table strings, attributes, places, regions, contexts, nodes, groups, comms, windows,
		files, processes, locations;
	struct group_item all_processes; /* locations by their rank */
	uint64_t resolution, first_time, date;
	uint64_t repeated; /* definitions that were there already */
};

enum status contents_read(struct contents *contents, OTF2_Reader *reader) MUST_CHECK;
void contents_release(struct contents *contents);

/* Never NULL. */
void *item_get(struct definition_table *table, uint64_t id);
#define table_count(table) ((table)->ids.count)
#define table_at(table, type, i) ((type *)(void *)((table)->items + (i) * (table)->item_size))

#endif
