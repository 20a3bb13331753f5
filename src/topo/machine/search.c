/* Finds the machine: by name, from Slurm, measured, or this node. */
#include "base/text.h"
#include "base/user_files.h"
#include "topo/machine/plan.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX = 64 << 20 };

static enum status read_file(const char *path, struct text *bytes)
{
	if (text_add_user_file(bytes, path, FILE_MAX))
		return OK;
	if (errno == EFBIG)
		return fail("'%s' is not a machine file: it is larger than 64 MiB", path);
	return fail("cannot read '%s': %s", path, file_error());
}

static enum status machine_read(const char *path, struct machine **machine)
{
	struct text bytes = {0};
	enum status status = read_file(path, &bytes);

	if (status == OK)
		status = machine_parse(path, text_get(&bytes), bytes.length, machine);
	text_release(&bytes);
	return status;
}

enum status machine_of_host(struct machine **machine)
{
	struct machine_plan plan;
	struct node_shape shape;
	char name[HOST_NAME_MAX + 1] = "localhost";
	enum status status;
	uint32_t node;

	if (gethostname(name, sizeof name) != 0 || !*name)
		snprintf(name, sizeof name, "localhost");
	name[sizeof name - 1] = 0;
	plan_init(&plan, name);
	host_shape(&plan.machine->arena, &shape);
	node = plan_node(&plan, name, 0);
	plan.items.items[node].shape = plan_uneven_shape(&plan, &shape);
	status = machine_build(&plan, machine);
	if (status == OK) {
		(*machine)->source = "this node alone";
		(*machine)->is_this_host = true;
	}
	plan_release(&plan);
	return status;
}

static bool slurm_topology(char *path, size_t size)
{
	static const char *const folders[] = {"/etc/slurm", "/etc/slurm-llnl", "/usr/local/etc"};
	const char *config = getenv("SLURM_CONF");
	const char *slash = config ? strrchr(config, '/') : NULL;

	if (slash) {
		snprintf(path, size, "%.*s/topology.conf", (int)(slash - config), config);
		if (access(path, R_OK) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(path, size, "%s/topology.conf", folders[i]);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

bool machine_measured_path(char *path, size_t size)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		snprintf(path, size, "%s/tarry/machine.conf", cache);
	else if (home && *home == '/')
		snprintf(path, size, "%s/.cache/tarry/machine.conf", home);
	else
		return false;
	return true;
}

static bool is_measured(char *path, size_t size)
{
	return machine_measured_path(path, size) && access(path, R_OK) == 0;
}

/* Adds the remedy to an error in the measured file, which no user has written. */
static enum status blame_measured(void)
{
	struct text why = {0};
	enum status status;

	text_add(&why, "%s", trail_text());
	status = fail("%s; measure again with 'tarry coll calibrate', or remove this file", text_get(&why));
	text_release(&why);
	return status;
}

enum status machine_add_measured_costs(struct machine *machine)
{
	char path[PATH_MAX];
	struct text bytes = {0};
	enum status status;

	if (machine->has_costs || !is_measured(path, sizeof path))
		return OK;
	status = read_file(path, &bytes);
	if (status == OK)
		status = machine_parse_costs(path, text_get(&bytes), bytes.length, machine);
	text_release(&bytes);
	return status == OK ? OK : blame_measured();
}

/* `*machine` is NULL if the file has only costs. */
static enum status read_measured(const char *path, struct machine **machine)
{
	struct text bytes = {0};
	bool has_nodes;
	enum status status = read_file(path, &bytes);

	if (status == OK)
		status = machine_has_nodes(path, text_get(&bytes), bytes.length, &has_nodes);
	if (status == OK)
		*machine = NULL;
	if (status == OK && has_nodes)
		status = machine_parse(path, text_get(&bytes), bytes.length, machine);
	text_release(&bytes);
	return status == OK ? OK : blame_measured();
}

enum status machine_check_measured(void)
{
	char path[PATH_MAX];
	struct machine *machine = NULL;

	if (is_measured(path, sizeof path))
		TRY(read_measured(path, &machine));
	if (machine)
		machine_free(machine);
	return OK;
}

enum status machine_open(const char *name, struct machine **machine)
{
	struct machine *measured = NULL;
	char path[PATH_MAX];

	name = name ? name : getenv("TARRY_MACHINE");
	if (name && *name) {
		TRY((strchr(name, ':') && !strchr(name, '/') && access(name, F_OK) != 0)
		            ? machine_from_spec(name, machine)
		            : machine_read(name, machine));
		(*machine)->is_chosen = true;
		return OK;
	}
	if (slurm_topology(path, sizeof path))
		return machine_read(path, machine);
	if (is_measured(path, sizeof path))
		TRY(read_measured(path, &measured));
	if (!measured)
		return machine_of_host(machine);
	*machine = measured;
	return OK;
}
