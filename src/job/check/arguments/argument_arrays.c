/* Arrays of a call: their lengths, and null pointers in place of arrays. */
#include "calls/arguments.h"
#include "calls/calls.h"
#include "job/check/arguments/argument_check.h"

int64_t data_elements(const struct argument_check *check, const struct shaped_buffer *buffer)
{
	if (!check->comm)
		return -1;
	switch (buffer->blocks) {
	case BLOCK_PER_PEER:
		/* MPI_Reduce_scatter distributes the result over the local group */
		return check->shape->op >= 0 ? check->comm->size : check->comm->peers;
	case BLOCK_PER_SOURCE:
		return check->comm->sources;
	case BLOCK_PER_DESTINATION:
		return check->comm->destinations;
	case OWN_BLOCK:
		return check->comm->size;
	default:
		return -1;
	}
}

const struct shaped_buffer *array_owner(const struct argument_check *check, int parameter)
{
	for (int i = 0; i < check->shape->buffer_count; i++) {
		const struct shaped_buffer *buffer = &check->shape->buffers[i];

		if (buffer->counts == parameter || buffer->types == parameter || buffer->displs == parameter)
			return buffer;
	}
	return NULL;
}

/* If all counts are 0, displacements and types are insignificant. */
static int64_t data_elements_used(const struct argument_check *check, const struct shaped_buffer *buffer,
                                  int parameter)
{
	const int64_t elements = data_elements(check, buffer);

	if (!(buffer->sends ? check->send_matters : check->receive_matters))
		return 0;
	if (parameter == buffer->counts)
		return elements;
	for (int64_t i = 0; buffer->counts >= 0 && check->values[buffer->counts] && i < elements; i++)
		if (element_of(check, buffer->counts, i) > 0)
			return elements;
	return 0;
}

static int64_t sum_of(const struct argument_check *check, int parameter, int64_t elements)
{
	int64_t sum = 0;

	for (int64_t i = 0; i < elements; i++)
		sum += element_of(check, parameter, i);
	return sum;
}

/* The number of elements that the call uses; 0 or less: none, or unknown. */
static int64_t elements_used(const struct argument_check *check, int parameter)
{
	const struct shaped_buffer *owner = array_owner(check, parameter);
	const struct argument_form *forms = call_argument_forms[check->call->id], *form = &forms[parameter];
	const int many = call_parameter(check->call->id, KIND_many), other = many >= 0 ? many : form->other;

	if (owner)
		return data_elements_used(check, owner, parameter);
	switch ((enum argument_length)form->length) {
	case LENGTH_PARAMETER:
		return check->values[other];
	case LENGTH_TRIPLE:
		return 3 * check->values[other];
	case LENGTH_SUM:
		return check->values[other] ? sum_of(check, other, elements_used(check, other)) : 0;
	case LENGTH_LAST: {
		const int64_t elements = elements_used(check, other);
		return check->values[other] && elements > 0 ? element_of(check, other, elements - 1) : 0;
	}
	case LENGTH_DIMENSIONS:
		return check->comm && check->comm->topology == TOPOLOGY_CART ? check->comm->dimensions : 0;
	default:
		return 0;
	}
}

static size_t element_bytes(const struct argument_check *check, const struct argument_form *form)
{
	if (form->base == ARGUMENT_NUMBER || form->base == ARGUMENT_TRUTH)
		return form->is_wide ? sizeof(int64_t) : sizeof(int);
	return check->call->fortran ? sizeof(MPI_Fint) : sizeof(MPI_Datatype);
}

bool null_array_check(struct argument_check *check, int parameter)
{
	const struct argument_form *form = &call_argument_forms[check->call->id][parameter];
	int64_t elements;

	/* Statuses may be ignored, in some libraries by a null pointer. Processes may be spawned without arguments or error codes. */
	if (LIKELY(form->shape != ARGUMENT_ARRAY) || form->base == ARGUMENT_STATUS ||
	    form->base == ARGUMENT_TEXT || all_calls[check->call->id].class == CLASS_DYNAMIC)
		return false;
	elements = elements_used(check, parameter);
	if (elements <= 0)
		return false;
	report_null(check, parameter, (size_t)elements * element_bytes(check, form));
	return true;
}
