#include "engine/facts.h"

#include "base/memory.h"

#include <stdlib.h>

uint32_t fact_slot(struct fact_plan *plan, enum fact_kind kind, uint32_t number)
{
	for (uint32_t i = 0; i < plan->count && kind < FACT_DERIVED; i++)
		if (plan->slots[i].kind == kind && plan->slots[i].number == number)
			return i;
	if (plan->count == plan->room) {
		plan->room = plan->room ? plan->room * 2 : 16;
		plan->slots = memory_grow(plan->slots, plan->room, sizeof *plan->slots);
	}
	plan->slots[plan->count] = (struct fact_slot){kind, number};
	return plan->count++;
}

void fact_plan_release(struct fact_plan *plan)
{
	free(plan->slots);
	*plan = (struct fact_plan){0};
}
