#include "check/execution/facts.h"

#include "check/execution/execution_parts.h"

void learn_send_over(struct execution *execution, const struct process_fact *fact)
{
	operation_over(execution, fact->operation, OPERATION_DROPPED);
}

static void carry(const struct execution *execution, struct executed_process *to,
                  const struct process_fact *fact)
{
	struct carried_fact carried = {.kind = fact->kind,
	                               .call = fact->call,
	                               .peer = fact->peer,
	                               .action = fact->action,
	                               .operation = fact->operation,
	                               .partner = fact->partner};

	if (fact->operation) {
		carried.call = fact->operation->call;
		carried.number = fact->operation->number;
		carried.sequence = fact->operation->sequence;
		carried.hash = fact->operation->hash;
	}
	carried.process = carried.call->process;
	execution->carry(execution->carrier, to, &carried);
}

void fact_carry_or_learn(struct execution *execution, struct executed_process *to,
                         const struct process_fact *fact)
{
	const bool is_learnt = fact_rows[fact->kind].is_learnt_here || !to ||
	                       !(to->is_image || to->is_routed);

	if (is_learnt)
		fact_rows[fact->kind].learn(execution, fact);
	if (!to || to->is_image || !is_learnt)
		carry(execution, to, fact);
}

void execution_learn(struct execution *execution, const struct carried_fact *carried)
{
	struct executed_process *process = executed_process_get(execution, carried->process);
	struct process_fact fact = {.kind = carried->kind,
	                            .call = carried->call,
	                            .peer = carried->peer,
	                            .action = carried->action};

	execution->now++;
	if (carried->kind < FACT_LOCKED)
		fact.operation = operation_of_fact(execution, process, carried);
	if (carried->kind >= FACT_LOCKED || fact.operation)
		fact_rows[carried->kind].learn(execution, &fact);
	if (fact.operation)
		operation_release(execution, fact.operation);
	execution_run(execution);
}

void execution_add_image(struct execution *execution, struct analysed_process *process)
{
	executed_process_get(execution, process)->is_image = true;
}

void execution_set_carrier(struct execution *execution, fact_carry *carry_by, void *owner)
{
	execution->carry = carry_by;
	execution->carrier = owner;
}
