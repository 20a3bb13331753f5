#include "model/selected.h"

#include "base/text.h"
#include "calls/select.h"
#include "model/role.h"

#include <string.h>

static void take_rule(const char *rule, bool *wanted)
{
	bool named[SELECTABLE] = {false}, only = text_begins(rule, "--only ");

	if (!only && !text_begins(rule, "--not "))
		return;
	/* A name that this version does not know stands for nothing that it can match. */
	(void)select_calls(strchr(rule, ' ') + 1, named);
	for (size_t i = 0; i < SELECTABLE; i++)
		wanted[i] &= named[i] == only;
}

static bool is_traffic(const struct call_info *info)
{
	return role_flow(info) || info->starts;
}

struct left_out left_out_of(const struct process *process)
{
	bool wanted[SELECTABLE], some_recorded = false;
	struct left_out left_out = {0};

	memset(wanted, true, sizeof wanted);
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, "selection") == 0)
			take_rule(process->properties[i].value, wanted);
	for (size_t i = 0; i < MPI_CALLS; i++) {
		if (is_traffic(&mpi_calls[i])) {
			some_recorded |= wanted[i];
			left_out.some_traffic |= !wanted[i];
		} else if (mpi_calls[i].class == CLASS_REQUEST) {
			left_out.some_completions |= !wanted[i];
		}
	}
	left_out.some_traffic &= some_recorded;
	return left_out;
}
