#include "cli/coll_switches.h"

#include "base/files.h"
#include "base/settings.h"
#include "base/text.h"
#include "cli/command.h"
#include "topo/machine/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The switches from the outermost to a node, without that which has all of them. */
static void add_switches(const struct machine *machine, const struct machine_part *part, struct text *out)
{
	if (part == machine->parts)
		return;
	add_switches(machine, &machine->parts[part->parent], out);
	text_add(out, " %s", part->name);
}

/* As a whole: under 'tarry exec' each process of a job comes here, and some may read already. */
static bool write_file(int folder, const struct text *text)
{
	char name[64];
	int file;
	bool written;

	snprintf(name, sizeof name, COLL_SWITCHES_FILE "-%d", (int)getpid());
	file = private_file_create(folder, name, 0600);
	written = file >= 0 && write_fully(file, text_get(text), text->length);
	return file >= 0 && close(file) == 0 && written &&
	       renameat(folder, name, folder, COLL_SWITCHES_FILE) == 0;
}

void coll_switches_write(int folder)
{
	struct machine *machine;
	struct text text = {0};

	/* Damaged measurements were reported when the costs were read from them. */
	if (faccessat(folder, COLL_SWITCHES_FILE, F_OK, 0) == 0 || machine_check_measured() != OK)
		return;
	if (machine_open(NULL, &machine) != OK) {
		say("%s (this job continues without switches)", trail_text());
		return;
	}
	if (machine->tiers > 1 && !machine->is_this_host) {
		for (uint32_t i = 0; i < machine->node_count; i++) {
			const struct machine_part *node = machine_node(machine, i);

			text_add(&text, "%s", node->name);
			add_switches(machine, &machine->parts[node->parent], &text);
			text_add(&text, "\n");
		}
		if (!write_file(folder, &text))
			say("cannot write '" COLL_SWITCHES_FILE "': %s (this job continues without switches)",
			    strerror(errno));
	}
	text_release(&text);
	machine_free(machine);
}
