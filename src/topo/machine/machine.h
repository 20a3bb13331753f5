/* The machine that a job runs on, as a tree: the network, switches, nodes, and in a node sockets, caches and cores.
 *
 *	struct machine *machine;
 *	TRY(machine_open("switch:2 node:4 socket:2 core:8", &machine));      or a file, or NULL: whatever is known here
 *	uint32_t node = machine_find_node(machine, "n3");                    NO_NODE: it has none of that name
 *	int level = machine_level(machine, (struct core){0, 3}, (struct core){node, 0});
 *	double weight = level_weight(level);
 *	machine_free(machine);
 *
 * Switches and nodes are parts, in depth-first order: what is below a part lies behind it, up to its `end`. parts[0] holds all others.
 * Nodes that are alike share their inside, a `node_shape`. Distances are levels: where the ways of two cores to the root meet.
 *
 * A file says one thing a line, as Slurm's topology.conf and the lines for nodes in slurm.conf do; docs/machine.md has all of it:
 *
 *	SwitchName=s0 Nodes=n[0-7]
 *	NodeName=n[0-15] Sockets=2 CoresPerSocket=8 */
#ifndef TARRY_TOPO_MACHINE_MACHINE_H
#define TARRY_TOPO_MACHINE_MACHINE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_NODE UINT32_MAX

/* More than the largest machines have. */
enum { NODES_MOST = 1 << 18, NODE_CORES_MOST = 4096, SWITCH_TIERS_MOST = 16 };
#define MACHINE_CORES_MOST ((uint64_t)1 << 26)

/* Where two cores meet. A switch that has nodes is of tier 1, at LEVEL_SWITCH; one above it at the next level, and so on. */
enum { LEVEL_CORE, LEVEL_CACHE, LEVEL_SOCKET, LEVEL_NODE, LEVEL_SWITCH };
enum { LEVELS_MOST = LEVEL_SWITCH + SWITCH_TIERS_MOST };

enum part_kind { PART_NETWORK, PART_SWITCH, PART_NODE };

struct machine_part {
	enum part_kind kind;
	uint32_t parent; /* of the first: itself */
	uint32_t end;    /* behind what is below it */
	uint32_t depth;
	uint32_t tier;                   /* of a switch: 1 or more; the network is the highest. 0: a node */
	uint32_t first_node, node_count; /* of it and below it */
	uint32_t shape;                  /* of a node */
	const char *name;
};

/* Groups of cores lie one behind the other; each cache is in one socket. */
struct node_shape {
	uint32_t sockets, caches, cores;
	const uint32_t *socket_of, *cache_of; /* by core */
	const char *cache_name; /* "L3"; NULL: there are as many as sockets, and none is shown */
	bool is_assumed;        /* nobody told the size of these nodes */
};

/* What a message costs whose ends meet at a level. */
struct level_cost {
	double latency_s, bytes_per_s;
	bool is_known;
};

struct machine {
	struct arena arena;
	bool is_chosen;     /* the user named it */
	bool is_this_host;  /* nothing else is known */
	bool is_synthetic;  /* made of words */
	const char *source; /* where it is from, for people: "file 'm.conf'" */
	struct machine_part *parts;
	uint32_t part_count;
	uint32_t *nodes; /* the part of each */
	uint32_t node_count;
	struct node_shape *shapes;
	uint32_t shape_count;
	uint64_t core_count;
	uint32_t tiers; /* of switches; 0: a single node */
	struct level_cost costs[LEVELS_MOST];
	bool has_costs;
	const char *costs_source;    /* where these are from; NULL: there are none */
	struct text_map names;       /* of nodes, to their part */
	struct text_map short_names; /* up to the first point; those that two nodes would share are missing */
};

struct core {
	uint32_t node;
	uint32_t core; /* of the node */
};

/* A file, or words such as "switch:2 node:4 socket:2 core:8". NULL: what the variable TARRY_MACHINE names, Slurm's topology file, what was
 * measured, or this node alone, whichever comes first. */
enum status machine_open(const char *name, struct machine **machine) MUST_CHECK;
enum status machine_read(const char *path, struct machine **machine) MUST_CHECK;
/* The same; `name` is that of the file, for messages. */
enum status machine_parse(const char *name, const char *bytes, size_t size,
                          struct machine **machine) MUST_CHECK;
enum status machine_from_words(const char *words, struct machine **machine) MUST_CHECK;
/* The node that this process runs on. */
enum status machine_of_host(struct machine **machine) MUST_CHECK;
void machine_free(struct machine *machine);

/* Costs of levels that were measured here, for a machine that has none; it stays as it is if nothing was measured. */
enum status machine_add_measured_costs(struct machine *machine) MUST_CHECK;
/* Whether it can be read; OK if nothing was measured. */
enum status machine_check_measured(void) MUST_CHECK;
/* Where `tarry coll calibrate` leaves what it measured. False: there is no such place. */
bool machine_measured_path(char *path, size_t size);

/* By its whole name, or the part of it before the first point. */
uint32_t machine_find_node(const struct machine *machine, const char *name);
const struct machine_part *machine_node(const struct machine *machine, uint32_t node);
const struct node_shape *machine_shape(const struct machine *machine, uint32_t node);
/* Equal nodes: of the same shape, whatever their names are. */
static inline uint32_t machine_node_cores(const struct machine *machine, uint32_t node)
{
	return machine_shape(machine, node)->cores;
}

int machine_level(const struct machine *machine, struct core a, struct core b);
/* Of two different nodes. */
int machine_node_level(const struct machine *machine, uint32_t a, uint32_t b);
/* The highest that there is. */
static inline int machine_top_level(const struct machine *machine)
{
	return machine->tiers ? LEVEL_SWITCH + (int)machine->tiers - 1 : LEVEL_NODE;
}

/* How far that is: 0 for the same core, up to 16 and more through switches. */
double level_weight(int level);
/* "same socket", "same switch", "2nd tier of switches". */
const char *level_name(int level);

#endif
