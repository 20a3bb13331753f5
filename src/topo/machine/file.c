/* Parser for machine files. The syntax is that of Slurm's topology.conf and of NodeName lines in slurm.conf. */
#include "base/text.h"
#include "base/units.h"
#include "topo/machine/host_list.h"
#include "topo/machine/plan.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PAIRS_MAX = 32 };

/* Key=Value; both are NUL-terminated. */
struct file_pair {
	char *key, *value;
};

struct file_line {
	struct machine_plan *plan;
	uint32_t number;
	struct file_pair pairs[PAIRS_MAX];
	int count;
};

/* Values of a NodeName line; 0: not given. */
struct node_size {
	int64_t boards, sockets, sockets_per_board, caches, cores, cpus, threads;
};

struct machine_file {
	struct machine_plan plan;
	struct node_size usual; /* from NodeName=DEFAULT */
	struct host_names names;
};

/* Words */

static char *end_of_value(char *at)
{
	if (*at == '"') {
		at = strchr(at + 1, '"');
		return at ? at + 1 : NULL;
	}
	return at + strcspn(at, " \t\r");
}

static void drop_quotes(struct file_pair *pair)
{
	size_t length = strlen(pair->value);

	if (*pair->value == '"' && length >= 2) {
		pair->value[length - 1] = 0;
		pair->value++;
	}
}

static enum status split_line(struct file_line *line, char *at)
{
	for (at += strspn(at, " \t\r"); *at && *at != '#'; at += strspn(at, " \t\r")) {
		struct file_pair pair = {.key = at};
		char *equals = at + strcspn(at, "= \t\r#"), *end;
		if (*equals != '=' || equals == at)
			return plan_fail(line->plan, line->number, "expected NAME=VALUE, found '%.*s'",
			                 (int)strcspn(at, " \t\r") > 40 ? 40 : (int)strcspn(at, " \t\r"), at);
		if (line->count == PAIRS_MAX)
			return plan_fail(line->plan, line->number, "more than %d NAME=VALUE pairs",
			                 PAIRS_MAX);
		*equals = 0;
		pair.value = equals + 1;
		end = end_of_value(pair.value);
		if (!end)
			return plan_fail(line->plan, line->number, "missing closing quote");
		at = end + (*end != 0);
		*end = 0;
		drop_quotes(&pair);
		if (!*pair.value)
			return plan_fail(line->plan, line->number, "'%.40s=' has no value", pair.key);
		line->pairs[line->count++] = pair;
	}
	return OK;
}

static enum status unknown_key(const struct file_line *line, const struct file_pair *pair,
                               const char *const *known)
{
	struct nearest nearest = {.word = pair->key};

	for (; *known; known++)
		nearest_offer(&nearest, *known);
	if (nearest_found(&nearest))
		return plan_fail(line->plan, line->number, "unknown key '%.40s', did you mean '%s'?",
		                 pair->key, nearest_found(&nearest));
	return plan_fail(line->plan, line->number, "unknown key '%.40s' after '%.40s'", pair->key,
	                 line->pairs[0].key);
}

static bool is_one_of(const char *key, const char *const *known)
{
	for (; *known; known++)
		if (strcasecmp(key, *known) == 0)
			return true;
	return false;
}

static enum status take_count(const struct file_line *line, const struct file_pair *pair, int64_t *count)
{
	if (parse_integer(pair->value, count) != OK || *count < 1 || *count > NODE_CORES_MAX)
		return plan_fail(line->plan, line->number, "%s=%.40s: expected a number from 1 to %d",
		                 pair->key, pair->value, NODE_CORES_MAX);
	return OK;
}

static enum status expand(struct machine_file *file, const struct file_line *line, const char *list)
{
	file->names.count = 0;
	if (host_list_expand(list, &file->plan.machine->arena, MACHINE_NODES_MAX, &file->names) != OK) {
		struct text why = {0};
		enum status status;
		text_add(&why, "%s", trail_text());
		status = plan_fail(&file->plan, line->number, "%s", text_get(&why));
		text_release(&why);
		return status;
	}
	return OK;
}

static enum status too_many(const struct file_line *line)
{
	return plan_fail(line->plan, line->number, "more than %d nodes or switches", MACHINE_NODES_MAX);
}

/* Switches */

static enum status put_members(struct machine_file *file, const struct file_line *line, uint32_t above,
                               const struct file_pair *pair, bool are_nodes)
{
	TRY(expand(file, line, pair->value));
	for (size_t i = 0; i < file->names.count; i++) {
		uint32_t item = (are_nodes ? plan_node : plan_switch)(&file->plan, file->names.items[i],
		                                                      line->number);
		if (item == NO_ITEM)
			return too_many(line);
		if (item == above)
			return plan_fail(&file->plan, line->number, "switch '%s' is below itself",
			                 file->names.items[i]);
		TRY(plan_put_below(&file->plan, above, item, line->number));
	}
	return OK;
}

static enum status take_switch(struct machine_file *file, const struct file_line *line)
{
	static const char *const known[] = {"SwitchName", "Switches", "Nodes", "LinkSpeed", NULL};
	uint32_t item = plan_switch(&file->plan, line->pairs[0].value, line->number);
	bool has_members = false;

	if (item == NO_ITEM)
		return too_many(line);
	if (strpbrk(line->pairs[0].value, "[,]"))
		return plan_fail(&file->plan, line->number,
		                 "a SwitchName line describes one switch, not '%.60s'", line->pairs[0].value);
	if (file->plan.items.items[item].is_defined)
		return plan_fail(&file->plan, line->number, "switch '%.60s' is defined twice",
		                 line->pairs[0].value);
	file->plan.items.items[item].is_defined = true;
	for (int i = 1; i < line->count; i++) {
		bool are_nodes = strcasecmp(line->pairs[i].key, "Nodes") == 0;
		if (!is_one_of(line->pairs[i].key, known + 1))
			return unknown_key(line, &line->pairs[i], known);
		if (!are_nodes && strcasecmp(line->pairs[i].key, "Switches") != 0)
			continue;
		TRY(put_members(file, line, item, &line->pairs[i], are_nodes));
		has_members = true;
	}
	if (!has_members)
		return plan_fail(&file->plan, line->number,
		                 "switch '%.60s' has neither Nodes= nor Switches=", line->pairs[0].value);
	return OK;
}

/* Nodes */

/* Keys of slurm.conf that do not describe the machine. */
static const char *const unused_of_nodes[] = {
	"RealMemory",
	"Feature",
	"Features",
	"Gres",
	"State",
	"Weight",
	"NodeAddr",
	"Port",
	"NodeHostname",
	"TmpDisk",
	"Reason",
	"MemSpecLimit",
	"CpuSpecList",
	"CpuBind",
	"CoreSpecCount",
	"BcastAddr",
	"TCPWindowSize",
	"Topology",
	"RestrictedCoresPerGPU",
	"DefMemPerCPU",
	"Extra",
	"DynamicNodes",
	NULL,
};

static enum status take_size(const struct file_line *line, struct node_size *size)
{
	const struct {
		const char *key;
		int64_t *count;
	} counts[] = {
		{"Boards", &size->boards},
		{"Sockets", &size->sockets},
		{"SocketsPerBoard", &size->sockets_per_board},
		{"CachesPerSocket", &size->caches},
		{"CoresPerSocket", &size->cores},
		{"CPUs", &size->cpus},
		{"Procs", &size->cpus},
		{"ThreadsPerCore", &size->threads},
	};
	enum { COUNTS = sizeof counts / sizeof *counts };
	const char *known[COUNTS + 1] = {NULL};

	for (int i = 1; i < line->count; i++) {
		const struct file_pair *pair = &line->pairs[i];
		int j = 0;
		for (; j < COUNTS && strcasecmp(pair->key, counts[j].key) != 0; j++)
			known[j] = counts[j].key;
		if (j < COUNTS)
			TRY(take_count(line, pair, counts[j].count));
		else if (!is_one_of(pair->key, unused_of_nodes))
			return unknown_key(line, pair, known);
	}
	return OK;
}

static enum status cores_of(const struct file_line *line, const struct node_size *size, int64_t sockets,
                            int64_t *cores)
{
	int64_t threads = size->threads ? size->threads : 1;

	if (size->cores) {
		*cores = size->cores;
	} else if (size->cpus) {
		*cores = size->cpus / threads / sockets;
		if (*cores * threads * sockets != size->cpus)
			return plan_fail(
				line->plan, line->number,
				"CPUs=%lld cannot be spread over Sockets=%lld with ThreadsPerCore=%lld",
				(long long)size->cpus, (long long)sockets, (long long)threads);
	} else {
		*cores = 1;
	}
	return OK;
}

/* NO_SHAPE: the line does not give a size. */
static enum status shape_of_size(const struct file_line *line, const struct node_size *size, uint32_t *shape)
{
	int64_t boards = size->boards ? size->boards : 1, caches = size->caches ? size->caches : 1;
	int64_t sockets = size->sockets             ? size->sockets
	                  : size->sockets_per_board ? boards * size->sockets_per_board
	                                            : boards;
	int64_t cores;

	*shape = NO_SHAPE;
	if (!size->sockets && !size->cores && !size->cpus && !size->sockets_per_board)
		return OK;
	TRY(cores_of(line, size, sockets, &cores));
	/* Each factor is at most 2^24. */
	if (sockets > NODE_CORES_MAX || sockets * cores > NODE_CORES_MAX)
		return plan_fail(line->plan, line->number, "a node can have at most %d cores",
		                 NODE_CORES_MAX);
	if (cores % caches)
		return plan_fail(line->plan, line->number, "CachesPerSocket=%lld does not divide %lld cores",
		                 (long long)caches, (long long)cores);
	*shape = plan_shape(line->plan, (uint32_t)sockets, (uint32_t)caches, (uint32_t)(cores / caches));
	return OK;
}

static enum status take_node(struct machine_file *file, const struct file_line *line)
{
	struct node_size size = file->usual;
	bool is_default = strcasecmp(line->pairs[0].value, "DEFAULT") == 0;
	uint32_t shape;

	TRY(take_size(line, &size));
	TRY(shape_of_size(line, &size, &shape));
	if (is_default) {
		file->usual = size;
		file->plan.usual_shape = shape;
		return OK;
	}
	TRY(expand(file, line, line->pairs[0].value));
	for (size_t i = 0; i < file->names.count; i++) {
		uint32_t number = plan_node(&file->plan, file->names.items[i], line->number);
		struct plan_item *item;
		if (number == NO_ITEM)
			return too_many(line);
		item = &file->plan.items.items[number];
		if (item->shape != NO_SHAPE && shape != NO_SHAPE && item->shape != shape)
			return plan_fail(&file->plan, line->number,
			                 "node '%s' has a different size in line %u", item->name,
			                 item->shape_line);
		if (shape != NO_SHAPE) {
			item->shape = shape;
			item->shape_line = line->number;
		}
	}
	return OK;
}

/* Measured costs */

static enum status take_amount(const struct file_line *line, const struct file_pair *pair,
                               enum unit_kind kind, double base, double *amount)
{
	char *end;
	const struct unit *unit;

	*amount = strtod(pair->value, &end);
	unit = *end ? unit_by_name(end) : NULL;
	if (unit && unit->kind == kind)
		*amount *= unit->scale / base;
	if (end == pair->value || (*end && (!unit || unit->kind != kind)) || !isfinite(*amount) ||
	    *amount <= 0 || *amount > 1e15)
		return plan_fail(line->plan, line->number, "%s=%.40s: expected %s", pair->key, pair->value,
		                 kind == UNIT_TIME ? "a time in seconds, or with a unit, such as 1.5us"
		                                   : "bytes per second, or with a unit, such as 12GiB");
	return OK;
}

static enum status take_cost(const struct file_line *line, struct level_cost *cost)
{
	static const char *const known[] = {"Latency", "Bandwidth", NULL};

	for (int i = 1; i < line->count; i++) {
		const struct file_pair *pair = &line->pairs[i];
		if (strcasecmp(pair->key, "Latency") == 0)
			TRY(take_amount(line, pair, UNIT_TIME, 1e9, &cost->latency_s));
		else if (strcasecmp(pair->key, "Bandwidth") == 0)
			TRY(take_amount(line, pair, UNIT_SIZE, 1, &cost->bytes_per_s));
		else
			return unknown_key(line, pair, known);
	}
	return OK;
}

static enum status take_level(struct machine_file *file, const struct file_line *line)
{
	static const char *const names[] = {"core",    "cache",   "socket",  "node",   "switch",
	                                    "switch2", "switch3", "switch4", "network"};
	struct level_cost cost = {0};
	int count = sizeof names / sizeof *names;

	TRY(take_cost(line, &cost));
	if (!(cost.latency_s > 0) || !(cost.bytes_per_s > 0))
		return plan_fail(&file->plan, line->number, "LevelName= needs Latency= and Bandwidth=");
	cost.is_known = true;
	for (int i = 0; i < count; i++) {
		if (strcasecmp(line->pairs[0].value, names[i]) != 0)
			continue;
		*(i == count - 1 ? &file->plan.network : &file->plan.costs[i]) = cost;
		return OK;
	}
	return plan_fail(
		&file->plan, line->number,
		"level '%.40s' is not core, cache, socket, node, switch, switch2 to switch4 or network",
		line->pairs[0].value);
}

static enum status take_link(struct machine_file *file, const struct file_line *line)
{
	struct level_cost cost = {0};
	struct plan_link link;

	TRY(take_cost(line, &cost));
	TRY(expand(file, line, line->pairs[0].value));
	if (file->names.count != 2 || strcmp(file->names.items[0], file->names.items[1]) == 0)
		return plan_fail(&file->plan, line->number, "Link= needs two nodes, as in Link=n0,n1");
	if (!(cost.latency_s > 0))
		return plan_fail(&file->plan, line->number, "Link= needs Latency=");
	link.a = plan_node(&file->plan, file->names.items[0], line->number);
	link.b = plan_node(&file->plan, file->names.items[1], line->number);
	if (link.a == NO_ITEM || link.b == NO_ITEM)
		return too_many(line);
	link.latency_s = cost.latency_s;
	array_add(&file->plan.links, link);
	return OK;
}

/* Statements */

static const struct {
	const char *key;
	enum status (*take)(struct machine_file *file, const struct file_line *line);
} statements[] = {
	{"SwitchName", take_switch},
	{"NodeName", take_node},
	{"LevelName", take_level},
	{"Link", take_link},
};

enum { STATEMENTS = sizeof statements / sizeof *statements };

static enum status take_line(struct machine_file *file, char *text, uint32_t number)
{
	struct file_line line = {.plan = &file->plan, .number = number};
	const char *known[STATEMENTS + 1] = {NULL};
	struct nearest nearest;

	TRY(split_line(&line, text));
	/* Lines of other tools in the same file. */
	if (!line.count || strncasecmp(line.pairs[0].key, "Coll", 4) == 0)
		return OK;
	for (int i = 0; i < STATEMENTS; i++) {
		known[i] = statements[i].key;
		if (strcasecmp(line.pairs[0].key, statements[i].key) == 0)
			return statements[i].take(file, &line);
	}
	nearest = (struct nearest){.word = line.pairs[0].key};
	for (int i = 0; i < STATEMENTS; i++)
		nearest_offer(&nearest, known[i]);
	if (nearest_found(&nearest))
		return plan_fail(&file->plan, number, "unknown key '%.40s', did you mean '%s'?",
		                 line.pairs[0].key, nearest_found(&nearest));
	return plan_fail(
		&file->plan, number,
		"a line must start with SwitchName=, NodeName=, LevelName= or Link=, not with '%.40s='",
		line.pairs[0].key);
}

/* A backslash at the end of a line continues it. */
static enum status take_lines(struct machine_file *file, char *at)
{
	for (uint32_t number = 1; *at;) {
		char *line = at, *end;
		uint32_t first = number;
		for (;;) {
			end = at + strcspn(at, "\n");
			at = end + (*end != 0);
			number++;
			if (!*end || end == line || end[-1] != '\\')
				break;
			end[-1] = end[0] = ' ';
		}
		*end = 0;
		TRY(take_line(file, line, first));
	}
	return OK;
}

static enum status take_bytes(struct machine_file *file, const char *name, const char *bytes, size_t size)
{
	char *text = memory_new(size + 1, 1);
	enum status status;

	plan_init(&file->plan, name);
	memcpy(text, bytes, size);
	status = strlen(text) < size ? plan_fail(&file->plan, 0, "not a text file: it contains NUL bytes")
	                             : take_lines(file, text);
	free(text);
	return status;
}

static void file_release(struct machine_file *file)
{
	plan_release(&file->plan);
	array_release(&file->names);
}

enum status machine_parse(const char *name, const char *bytes, size_t size, struct machine **machine)
{
	struct machine_file file = {0};
	enum status status = take_bytes(&file, name, bytes, size);

	if (status == OK)
		status = machine_build(&file.plan, machine);
	if (status == OK) {
		(*machine)->source = arena_format(&(*machine)->arena, "'%s'", name);
		(*machine)->costs_source = (*machine)->has_costs ? (*machine)->source : NULL;
	}
	file_release(&file);
	return status;
}

enum status machine_parse_costs(const char *name, const char *bytes, size_t size, struct machine *machine)
{
	struct machine_file file = {0};
	enum status status = take_bytes(&file, name, bytes, size);

	if (status == OK) {
		plan_give_costs(&file.plan, machine);
		if (machine->has_costs)
			machine->costs_source = arena_format(&machine->arena, "'%s'", name);
	}
	file_release(&file);
	return status;
}

enum status machine_has_nodes(const char *name, const char *bytes, size_t size, bool *has_nodes)
{
	struct machine_file file = {0};
	enum status status = take_bytes(&file, name, bytes, size);

	*has_nodes = file.plan.node_count > 0;
	file_release(&file);
	return status;
}
