/* Machines: their files, measurements, errors and messages, distances compared with a simple search, and placement of ranks. */
#include "base/array.h"
#include "sanitized.h"
#include "topo/machine/drawing.h"
#include "topo/machine/host_list.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = SANITIZED ? 2 : 20 };

static struct machine *words(const char *text)
{
	struct machine *machine;

	assert_int_equal(machine_from_spec(text, &machine), OK);
	return machine;
}

static struct machine *parse(const char *text)
{
	struct machine *machine = NULL;

	if (machine_parse("m", text, strlen(text), &machine) != OK)
		fail_msg("%s", trail_text());
	return machine;
}

static void assert_refused(const char *text, const char *why)
{
	struct machine *machine;

	if (machine_parse("m", text, strlen(text), &machine) == OK)
		fail_msg("accepted: %s", text);
	if (!strstr(trail_text(), why))
		fail_msg("'%s' is not '%s'", trail_text(), why);
}

/* Host lists */

static void assert_hosts(const char *list, const char *wanted)
{
	struct arena arena = {0};
	struct host_names names = {0};
	struct text text = {0};

	if (host_list_expand(list, &arena, 1000, &names) == OK)
		for (size_t i = 0; i < names.count; i++)
			text_add(&text, "%s%s", i ? " " : "", names.items[i]);
	else
		text_add(&text, "%s", trail_text());
	assert_string_equal(text_get(&text), wanted);
	text_release(&text);
	array_release(&names);
	arena_release(&arena);
}

static void host_lists(void **state)
{
	(void)state;
	assert_hosts("n0", "n0");
	assert_hosts("n[0-2,9]", "n0 n1 n2 n9");
	assert_hosts("a,n[08-11]x,b", "a n08x n09x n10x n11x b");
	assert_hosts("r[1-2]n[1-2]", "r1n1 r1n2 r2n1 r2n2");
	assert_hosts("n[3-1]", "list of hosts 'n[3-1]': range 3-1 is descending");
	assert_hosts("n[1", "list of hosts 'n[1': ']' is missing");
	assert_hosts("n]", "list of hosts 'n]': ']' without '['");
	assert_hosts("n[]", "list of hosts 'n[]': missing number in brackets");
	assert_hosts("a,,b", "list of hosts 'a,,b': missing name");
	assert_hosts("n[0-999],m", "list of hosts 'n[0-999],m': more than 1000 names");
	assert_hosts("n[0-999999999]m[0-999999999]",
	             "list of hosts 'n[0-999999999]m[0-999999999]': more than 1000 names");
	assert_hosts("n[0-9999999999]", "list of hosts 'n[0-9999999999]': a number has more than 9 digits");
}

/* Words */

static void synthetic_machines(void **state)
{
	struct machine *machine = words("switch:2 node:4 socket:2 core:8");

	(void)state;
	assert_int_equal(machine->node_count, 8);
	assert_int_equal(machine->core_count, 128);
	assert_int_equal(machine->tiers, 2);
	assert_int_equal(machine_find_node(machine, "n5"), 5);
	assert_int_equal(machine_find_node(machine, "n5.cluster"), 5);
	assert_int_equal(machine_find_node(machine, "n8"), NO_NODE);
	assert_int_equal(machine_level(machine, (struct core){0, 3}, (struct core){0, 3}), LEVEL_CORE);
	assert_int_equal(machine_level(machine, (struct core){0, 3}, (struct core){0, 7}), LEVEL_SOCKET);
	assert_int_equal(machine_level(machine, (struct core){0, 3}, (struct core){0, 8}), LEVEL_NODE);
	assert_int_equal(machine_level(machine, (struct core){0, 3}, (struct core){3, 3}), LEVEL_SWITCH);
	assert_int_equal(machine_level(machine, (struct core){4, 3}, (struct core){3, 3}), LEVEL_SWITCH + 1);
	machine_free(machine);
	machine = words("socket:2 cache:2 core:2");
	assert_int_equal(machine->node_count, 1);
	assert_int_equal(machine_level(machine, (struct core){0, 0}, (struct core){0, 1}), LEVEL_CACHE);
	assert_int_equal(machine_level(machine, (struct core){0, 1}, (struct core){0, 2}), LEVEL_SOCKET);
	assert_int_equal(machine_top_level(machine), LEVEL_NODE);
	machine_free(machine);
	for (int i = 1; i < MACHINE_LEVELS_MAX; i++)
		assert_true(level_weight(i) > level_weight(i - 1));
}

static void wrong_words(void **state)
{
	static const char *const wrong[] = {"",
	                                    "node",
	                                    "node:",
	                                    "node:0",
	                                    "node:-1",
	                                    "node:2x",
	                                    "rack:2 node:2",
	                                    "core:2 node:2",
	                                    "node:2 node:2",
	                                    "node:99999999999999999999",
	                                    "switch:262144 node:262144",
	                                    "core:4097",
	                                    "socket:262144 cache:262144 core:262144",
	                                    "switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 "
	                                    "switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 "
	                                    "switch:1 switch:1 switch:1 node:1"};
	struct machine *machine;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (machine_from_spec(wrong[i], &machine) == OK)
			fail_msg("accepted: %s", wrong[i]);
}

/* Files */

static void files(void **state)
{
	struct machine *machine = parse("# as Slurm has it\n"
	                                "SwitchName=top Switches=s[0-1] LinkSpeed=100\n"
	                                "switchname=s0 nodes=n[0-2]\n"
	                                "SwitchName=s1 \\\n  Nodes=big,n3.site # behind it\n\n"
	                                "NodeName=DEFAULT CoresPerSocket=4 RealMemory=1000\n"
	                                "NodeName=n[0-2],n3.site Sockets=1 State=\"UN KNOWN\"\n"
	                                "NodeName=big CPUs=32 ThreadsPerCore=2 Sockets=2 CoresPerSocket=8");

	(void)state;
	assert_int_equal(machine->node_count, 5);
	assert_int_equal(machine->core_count, 32);
	assert_int_equal(machine->parts[0].kind, PART_SWITCH);
	assert_string_equal(machine->parts[0].name, "top");
	assert_int_equal(machine_find_node(machine, "big"), 3);
	assert_int_equal(machine_find_node(machine, "n3"), 4);
	assert_int_equal(machine_node_cores(machine, 3), 16);
	assert_int_equal(machine_node_level(machine, 0, 2), LEVEL_SWITCH);
	assert_int_equal(machine_node_level(machine, 3, 2), LEVEL_SWITCH + 1);
	assert_false(machine->has_costs);
	machine_free(machine);
	machine = parse(
		"SwitchName=s Nodes=a,b\nNodeName=DEFAULT CoresPerSocket=3 Sockets=2\nNodeName=b Sockets=1");
	assert_int_equal(machine_node_cores(machine, 0), 6);
	assert_int_equal(machine_node_cores(machine, 1), 3);
	machine_free(machine);
	machine = parse(
		"NodeName=a CPUs=6 Sockets=3\nNodeName=b\nLevelName=node Latency=500ns Bandwidth=8GiB\n"
		"LevelName=network Latency=2e-6 Bandwidth=1e9\nCollVersion=1 anything=else");
	assert_int_equal(machine_node_cores(machine, 0), 6);
	assert_true(machine_shape(machine, 1)->is_assumed);
	assert_true(machine->costs[LEVEL_NODE].latency_s < 501e-9);
	assert_true(machine->costs[LEVEL_SWITCH].latency_s > 1e-6);
	assert_true(machine->costs[LEVEL_SOCKET].is_known);
	machine_free(machine);
}

/* Names of a machine without a line for each are short for the same node of several domains. */
static void ambiguous_names(void **state)
{
	struct machine *machine = parse("NodeName=n0.a,n0.b,n1.a CPUs=1");

	(void)state;
	assert_int_equal(machine_find_node(machine, "n0"), NO_NODE);
	assert_int_equal(machine_find_node(machine, "n0.b"), 1);
	assert_int_equal(machine_find_node(machine, "n1"), 2);
	machine_free(machine);
}

static void wrong_files(void **state)
{
	(void)state;
	assert_refused("", "m: no nodes");
	assert_refused("\nClusterName=c", "m:2: a line must start with SwitchName=");
	assert_refused("SwitchNam=s0 Nodes=n0", "m:1: unknown key 'SwitchNam', did you mean 'SwitchName'?");
	assert_refused("SwitchName=s0 Node=n0", "did you mean 'Nodes'?");
	assert_refused("NodeName=n0 Socket=2", "did you mean 'Sockets'?");
	assert_refused("NodeName n0", "m:1: expected NAME=VALUE, found 'NodeName'");
	assert_refused("NodeName=", "has no value");
	assert_refused("NodeName=n0 Reason=\"x", "m:1: missing closing quote");
	assert_refused("NodeName=n[0-1", "m:1: list of hosts 'n[0-1': ']' is missing");
	assert_refused("NodeName=n0 Sockets=0", "m:1: Sockets=0: expected a number from 1 to 4096");
	assert_refused("NodeName=n0 Sockets=99999999999999999999", "expected a number from 1 to 4096");
	assert_refused("NodeName=n0 Sockets=4096 CoresPerSocket=4096", "a node can have at most 4096 cores");
	assert_refused("NodeName=n0 CPUs=7 Sockets=2", "CPUs=7 cannot be spread over Sockets=2");
	assert_refused("NodeName=n0 CoresPerSocket=7 CachesPerSocket=2", "does not divide 7 cores");
	assert_refused("NodeName=n0 CPUs=7\nNodeName=n[0-1] CPUs=8",
	               "m:2: node 'n0' has a different size in line 1");
	assert_refused("SwitchName=s0\nNodeName=n0", "m:1: switch 's0' has neither Nodes= nor Switches=");
	assert_refused("SwitchName=s0 Switches=s1 Nodes=n0", "m:1: switch 's1' has no line of its own");
	assert_refused("SwitchName=s0 Nodes=n0\nSwitchName=s0 Nodes=n1", "m:2: switch 's0' is defined twice");
	assert_refused("SwitchName=s0 Nodes=n0\nSwitchName=s1 Nodes=n0",
	               "m:2: node 'n0' is below switch 's0' already");
	assert_refused("SwitchName=s0 Switches=s0 Nodes=n0", "m:1: switch 's0' is below itself");
	assert_refused(
		"SwitchName=a Switches=b\nSwitchName=b Switches=c\nSwitchName=c Switches=a\nNodeName=n0",
		"is below itself");
	assert_refused("SwitchName=s[0-1] Nodes=n0", "a SwitchName line describes one switch");
	assert_refused("NodeName=n[0-262144]", "more than 262144 names");
	assert_refused("NodeName=a[0-262143]\nNodeName=b", "m:2: more than 262144 nodes");
	assert_refused("LevelName=x Latency=1 Bandwidth=1\nNodeName=n0", "level 'x' is not");
	assert_refused("LevelName=node Latency=nan Bandwidth=1\nNodeName=n0", "expected a time in seconds");
	assert_refused("LevelName=node Latency=1us\nNodeName=n0", "LevelName= needs Latency= and Bandwidth=");
	assert_refused("Link=n0 Latency=1us", "Link= needs two nodes");
	assert_refused("Link=n0,n0 Latency=1us", "Link= needs two nodes");
	assert_refused("Link=n0,n1", "Link= needs Latency=");
}

static void zero_bytes(void **state)
{
	struct machine *machine;

	(void)state;
	assert_int_equal(machine_parse("m", "NodeName=n0\0\n", 13, &machine), FAILED);
	assert_non_null(strstr(trail_text(), "NUL bytes"));
}

/* Two switches, each below the other, do not form a deep tree. */
static void deep_trees(void **state)
{
	struct text text = {0};
	struct machine *machine;

	(void)state;
	for (int i = 0; i < 20; i++)
		text_add(&text, "SwitchName=s%d Switches=s%d\n", i, i + 1);
	text_add(&text, "SwitchName=s20 Nodes=n0\n");
	assert_int_equal(machine_parse("m", text_get(&text), text.length, &machine), FAILED);
	assert_non_null(strstr(trail_text(), "more than 15 tiers of switches"));
	text_release(&text);
}

/* Distances: the way from each core to the root, and where two of these meet. */
static void plain_levels(void **state)
{
	struct machine *machine = parse(
		"SwitchName=t Switches=a,b\nSwitchName=a Nodes=n[0-2]\nSwitchName=b "
		"Nodes=n[3-4] Switches=c\nSwitchName=c Nodes=n5\nNodeName=n[0-6] CPUs=1");

	(void)state;
	for (uint32_t i = 0; i < machine->node_count; i++) {
		for (uint32_t j = 0; j < machine->node_count; j++) {
			uint32_t a = machine->nodes[i], b = machine->nodes[j];
			while (a != b)
				if (machine->parts[a].depth > machine->parts[b].depth)
					a = machine->parts[a].parent;
				else
					b = machine->parts[b].parent;
			assert_int_equal(machine_level(machine, (struct core){i, 0}, (struct core){j, 0}),
			                 i == j ? LEVEL_CORE
			                        : LEVEL_SWITCH + (int)machine->parts[a].tier - 1);
		}
	}
	machine_free(machine);
}

/* Measured distances: two racks of two switches of two nodes, with noise. */
static void measured_distances(void **state)
{
	struct text text = {0};
	struct machine *machine;

	(void)state;
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < i; j++)
			text_add(&text, "Link=h%d,h%d Latency=%g\n", j, i,
			         (i / 2 == j / 2   ? 1.0e-6
			          : i / 4 == j / 4 ? 1.8e-6
			                           : 3.1e-6) *
			                 (1 + 0.01 * ((i * 7 + j * 3) % 11)));
	text_add(&text, "NodeName=h[0-7] CPUs=2\n");
	machine = parse(text_get(&text));
	assert_int_equal(machine->tiers, 3);
	for (uint32_t i = 0; i < 8; i++)
		for (uint32_t j = 0; j < i; j++) {
			char a[8], b[8];
			snprintf(a, sizeof a, "h%u", i);
			snprintf(b, sizeof b, "h%u", j);
			assert_int_equal(machine_node_level(machine, machine_find_node(machine, a),
			                                    machine_find_node(machine, b)),
			                 LEVEL_SWITCH + (i / 2 == j / 2   ? 0
			                                 : i / 4 == j / 4 ? 1
			                                                  : 2));
		}
	machine_free(machine);
	text_clear(&text);
	for (int i = 1; i < 9; i++)
		text_add(&text, "Link=h0,h%d Latency=1.%dus\n", i, i);
	machine = parse(text_get(&text));
	assert_int_equal(machine->tiers, 1);
	assert_int_equal(machine->node_count, 9);
	machine_free(machine);
	text_release(&text);
}

/* Measured distances with noise: machines that are made here, and have to be found again */

struct measured_job {
	int nodes, group, groups_of; /* nodes below a switch, switches below the next one */
	double factor;               /* of each level */
	int noise_percent;           /* both ways */
	int missing_percent;         /* of all pairs */
	bool both_ways;              /* each direction has its own value */
};

static uint32_t next_number(uint32_t *state, uint32_t end)
{
	*state = *state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(*state >> 8) * end >> 24);
}

/* 0: the same switch, 1: the next one, 2: the highest. */
static int wanted_level(const struct measured_job *job, int i, int j)
{
	if (!job->group || i / job->group == j / job->group)
		return 0;
	return !job->groups_of || i / (job->group * job->groups_of) == j / (job->group * job->groups_of) ? 1
	                                                                                                 : 2;
}

static double noisy_latency(const struct measured_job *job, int i, int j, uint32_t *state)
{
	double latency = 1.5e-6 * pow(job->factor, wanted_level(job, i, j));

	return latency * (1 + (next_number(state, 2001) / 1000.0 - 1) * job->noise_percent / 100);
}

static struct machine *measure_job(const struct measured_job *job, uint32_t seed)
{
	uint32_t state = seed * 7919u + 1;
	struct text text = {0};
	struct machine *machine;

	for (int i = 0; i < job->nodes; i++)
		for (int j = 0; j < i; j++) {
			/* Some link into its group each node has. */
			if (next_number(&state, 100) < (uint32_t)job->missing_percent && j + 1 < i)
				continue;
			text_add(&text, "Link=h%d,h%d Latency=%.4g\n", j, i,
			         noisy_latency(job, i, j, &state));
			if (job->both_ways)
				text_add(&text, "Link=h%d,h%d Latency=%.4g\n", i, j,
				         noisy_latency(job, i, j, &state));
		}
	text_add(&text, "NodeName=h[0-%d] CPUs=2\n", job->nodes - 1);
	machine = parse(text_get(&text));
	text_release(&text);
	return machine;
}

static uint32_t node_of(const struct machine *machine, int number)
{
	char name[16];

	snprintf(name, sizeof name, "h%d", number);
	return machine_find_node(machine, name);
}

static void assert_found_again(const struct measured_job *job, uint32_t seed)
{
	struct machine *machine = measure_job(job, seed);

	for (int i = 0; i < job->nodes; i++)
		for (int j = 0; j < i; j++)
			if (machine_node_level(machine, node_of(machine, i), node_of(machine, j)) !=
			    LEVEL_SWITCH + wanted_level(job, i, j))
				fail_msg(
					"%d nodes in groups of %d, seed %u: h%d and h%d meet at level %d, not %d",
					job->nodes, job->group, seed, i, j,
					machine_node_level(machine, node_of(machine, i),
				                           node_of(machine, j)) -
						LEVEL_SWITCH,
					wanted_level(job, i, j));
	machine_free(machine);
}

static void noisy_distances(void **state)
{
	static const struct measured_job jobs[] = {
		{4, 2, 0, 2.5, 10, 0, false},   {6, 3, 0, 2.5, 30, 0, false},  {8, 4, 0, 2.5, 30, 0, false},
		{16, 4, 0, 2, 30, 0, false},    {32, 8, 0, 2, 30, 20, false},  {16, 4, 0, 2, 30, 20, true},
		{12, 4, 0, 1.5, 5, 0, false},   {8, 2, 2, 2.5, 20, 0, false},  {16, 4, 2, 2.5, 30, 0, false},
		{32, 4, 4, 2.5, 30, 0, false},  {24, 4, 3, 2.5, 30, 10, true}, {27, 3, 3, 1.6, 5, 0, false},
		{32, 16, 0, 10, 30, 50, false}, {20, 2, 5, 3, 30, 0, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		for (uint32_t seed = 0; seed < SEEDS; seed++)
			assert_found_again(&jobs[i], seed);
}

/* One switch, however noisy: no level is invented. */
static void uniform_distances(void **state)
{
	(void)state;
	for (int nodes = 3; nodes <= 32; nodes += nodes < 10 ? 1 : 11)
		for (int noise = 0; noise <= 30; noise += 10)
			for (uint32_t seed = 0; seed < SEEDS; seed++)
				for (int kind = 0; kind < 3; kind++)
					assert_found_again(
						&(struct measured_job){
							.nodes = nodes,
							.factor = 1,
							.noise_percent = noise,
							.missing_percent = kind == 1 && nodes > 5 ? 30 : 0,
							.both_ways = kind == 2},
						seed);
}

/* Placements */

static void assert_places(const struct placement *placement, const uint32_t (*wanted)[2], uint32_t count)
{
	assert_int_equal(placement->count, count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(placement->cores[i].node, wanted[i][0]);
		assert_int_equal(placement->cores[i].core, wanted[i][1]);
	}
}

static void placements(void **state)
{
	static const uint32_t block[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}};
	static const uint32_t cyclic[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 2}};
	static const uint32_t crowded[][2] = {{0, 0}, {0, 1}, {0, 0}, {1, 0}};
	struct machine *machine = parse("NodeName=a CPUs=2\nNodeName=b CPUs=3");
	struct placement placement;

	(void)state;
	assert_int_equal(placement_fill(&placement, machine, 0, PLACE_BLOCK, 0), OK);
	assert_places(&placement, block, 5);
	assert_false(placement.is_crowded);
	placement_release(&placement);
	assert_int_equal(placement_fill(&placement, machine, 5, PLACE_CYCLIC, 0), OK);
	assert_places(&placement, cyclic, 5);
	placement_release(&placement);
	assert_int_equal(placement_fill(&placement, machine, 4, PLACE_BLOCK, 3), OK);
	assert_places(&placement, crowded, 4);
	assert_true(placement.is_crowded);
	placement_release(&placement);
	assert_int_equal(placement_fill(&placement, machine, 6, PLACE_BLOCK, 0), FAILED);
	assert_int_equal(placement_fill(&placement, machine, INT64_MAX, PLACE_BLOCK, 0), FAILED);
	assert_int_equal(placement_fill(&placement, machine, 1, PLACE_BLOCK, INT64_MAX), FAILED);
	machine_free(machine);
}

static void jobs(void **state)
{
	static const struct rank_place bound[] = {
		{"b.x", "2,5"}, {"b", "0"}, {"a", "0-1"}, {"a", "0-1"}, {"b", "1"}};
	static const uint32_t wanted[][2] = {{1, 2}, {1, 0}, {0, 0}, {0, 1}, {1, 1}};
	struct machine *machine = parse("NodeName=a CPUs=2\nNodeName=b CPUs=3");
	struct placement placement;
	uint32_t *order;

	(void)state;
	assert_int_equal(placement_of_job(&placement, machine, bound, 5), OK);
	assert_places(&placement, wanted, 5);
	order = placement_order(&placement);
	assert_memory_equal(order, ((uint32_t[]){2, 3, 1, 4, 0}), 5 * sizeof *order);
	free(order);
	placement_release(&placement);
	assert_int_equal(placement_of_job(&placement, machine, &(struct rank_place){"c", NULL}, 1), FAILED);
	assert_string_equal(trail_text(), "rank 0 ran on 'c', which 'm' does not have");
	assert_int_equal(placement_of_job(&placement, machine, &(struct rank_place){NULL, NULL}, 1), FAILED);
	machine_free(machine);
}

/* Drawings */

static void assert_drawn(const char *of, uint64_t ranks, enum place_order order, const char *wanted)
{
	struct machine *machine = words(of);
	struct placement placement = {0};
	struct machine_drawing drawing;
	struct text out = {0};

	if (ranks)
		assert_int_equal(placement_fill(&placement, machine, ranks, order, 0), OK);
	drawing_init(&drawing, machine, &placement);
	drawing_add_text(&drawing, false, &out);
	assert_string_equal(text_get(&out), wanted);
	drawing_release(&drawing);
	text_release(&out);
	placement_release(&placement);
	machine_free(machine);
}

static void drawings(void **state)
{
	(void)state;
	assert_drawn("core:4", 3, PLACE_BLOCK, "node n0, 4 cores: ranks 0-2\n");
	assert_drawn("node:64 core:2", 0, PLACE_BLOCK,
	             "network, 64 nodes\n|- node n0, 2 cores\n`- 63 more like this, n1 to n63\n");
	assert_drawn("switch:2 node:4 socket:2 core:2", 18, PLACE_BLOCK,
	             "network, 8 nodes\n"
	             "|- switch s0, 4 nodes\n"
	             "|  |- node n0, 2 sockets x 2 cores, 4 ranks\n"
	             "|  |  |- socket 0, 2 cores: ranks 0-1\n"
	             "|  |  `- socket 1, 2 cores: ranks 2-3\n"
	             "|  `- 3 more like this, n1 to n3: ranks 4-15\n"
	             "`- switch s1, 4 nodes\n"
	             "   |- node n4, 2 sockets x 2 cores, 2 ranks\n"
	             "   |  |- socket 0, 2 cores: ranks 16-17\n"
	             "   |  `- socket 1, 2 cores\n"
	             "   |- node n5, 2 sockets x 2 cores\n"
	             "   |  |- socket 0, 2 cores\n"
	             "   |  `- socket 1, 2 cores\n"
	             "   `- 2 more like this, n6 to n7\n");
	assert_drawn("node:2 core:4", 8, PLACE_CYCLIC,
	             "network, 2 nodes\n|- node n0, 4 cores: ranks 0, 2 ... 6\n"
	             "`- node n1, 4 cores: ranks 1, 3 ... 7\n");
	assert_drawn(
		"socket:1 cache:2 core:2", 0, PLACE_BLOCK,
		"node n0, 4 cores\n`- socket 0, 4 cores\n   |- cache 0, 2 cores\n   `- cache 1, 2 cores\n");
}

static void pictures(void **state)
{
	struct machine *machine = parse(
		"SwitchName=a&b Nodes=n[0-999]\nNodeName=n[0-998] CPUs=300\nNodeName=n999 CPUs=1");
	struct placement placement;
	struct machine_drawing drawing;
	struct text out = {0};

	(void)state;
	assert_int_equal(placement_fill(&placement, machine, 450, PLACE_BLOCK, 1), OK);
	placement.cores[1].core = 7;
	for (uint32_t i = 0; i < 450; i++)
		placement.cores[i].core = i % 300;
	drawing_init(&drawing, machine, &placement);
	drawing_add_svg(&drawing, &out);
	assert_non_null(strstr(text_get(&out), "a&#38;b"));
	assert_non_null(strstr(text_get(&out), "nodes are not drawn"));
	assert_non_null(strstr(text_get(&out), "and 44 more cores"));
	assert_true(text_ends(text_get(&out), "</svg>\n"));
	text_release(&out);
	drawing_release(&drawing);
	placement_release(&placement);
	machine_free(machine);
}

static void this_host(void **state)
{
	struct machine *machine;

	(void)state;
	assert_int_equal(machine_of_host(&machine), OK);
	assert_int_equal(machine->node_count, 1);
	assert_true(machine->core_count >= 1);
	for (uint32_t i = 1; i < machine_node_cores(machine, 0); i++)
		assert_in_range(machine_level(machine, (struct core){0, i - 1}, (struct core){0, i}),
		                LEVEL_CACHE, LEVEL_NODE);
	machine_free(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_lists),      cmocka_unit_test(synthetic_machines),
		cmocka_unit_test(wrong_words),     cmocka_unit_test(files),
		cmocka_unit_test(ambiguous_names), cmocka_unit_test(wrong_files),
		cmocka_unit_test(zero_bytes),      cmocka_unit_test(deep_trees),
		cmocka_unit_test(plain_levels),    cmocka_unit_test(measured_distances),
		cmocka_unit_test(noisy_distances), cmocka_unit_test(uniform_distances),
		cmocka_unit_test(placements),      cmocka_unit_test(jobs),
		cmocka_unit_test(drawings),        cmocka_unit_test(pictures),
		cmocka_unit_test(this_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
