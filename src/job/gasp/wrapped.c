/* Reports calls that no runtime reports; their wrappers are in tarry_upc_calls.h. */
#include "job/gasp/gasp.h"

#include <tarry_upc_calls.h>

static const uint32_t events[] = {
	[TARRY_UPC_FENCE] = UPC_EVENT_FENCE,
	[TARRY_UPC_ATOMIC] = UPC_EVENT_ATOMIC,
	[TARRY_UPC_BROADCAST] = UPC_EVENT_ALL_BROADCAST,
	[TARRY_UPC_SCATTER] = UPC_EVENT_ALL_SCATTER,
	[TARRY_UPC_GATHER] = UPC_EVENT_ALL_GATHER,
	[TARRY_UPC_GATHER_ALL] = UPC_EVENT_ALL_GATHER_ALL,
	[TARRY_UPC_EXCHANGE] = UPC_EVENT_ALL_EXCHANGE,
	[TARRY_UPC_PERMUTE] = UPC_EVENT_ALL_PERMUTE,
	[TARRY_UPC_REDUCE] = UPC_EVENT_ALL_REDUCE,
	[TARRY_UPC_PREFIX_REDUCE] = UPC_EVENT_ALL_PREFIX_REDUCE,
};

int tarry_upc_recording(void)
{
	return tarry_upc_self.recorded && !tarry_upc_self.is_busy;
}

void tarry_upc_at(const char *file, int line)
{
	tarry_upc_self.place = (struct upc_place){file, line};
}

static void tell(int wrapped, int type, const struct upc_values *values)
{
	struct tarry_upc_thread *self = &tarry_upc_self;
	struct upc_place place = self->place;

	self->place = (struct upc_place){0};
	if (!tarry_upc_recording())
		return;
	self->is_busy = true;
	self->recorder->wrapped(self->recorded, events[wrapped], type, place, values);
	self->is_busy = false;
}

void tarry_upc_start(int wrapped, const char *name)
{
	struct upc_values values = UPC_NO_VALUES;

	values.name = name;
	tell(wrapped, UPC_START, &values);
}

void tarry_upc_end(int wrapped, int root, int source, int operation, unsigned flags, unsigned long bytes,
                   unsigned long elements, unsigned long block)
{
	struct upc_values values = UPC_NO_VALUES;

	values.root = root;
	values.source = source;
	values.op = operation;
	values.sync = flags;
	values.bytes = bytes;
	values.elements = elements;
	values.block = block;
	tell(wrapped, UPC_END, &values);
}

void tarry_upc_fence_start(const char *file, int line)
{
	if (!tarry_upc_recording())
		return;
	tarry_upc_at(file, line);
	tell(TARRY_UPC_FENCE, UPC_START, NULL);
}

void tarry_upc_fence_end(void)
{
	tell(TARRY_UPC_FENCE, UPC_END, NULL);
}

void tarry_upc_atomic_start(const char *name, int target)
{
	tarry_upc_self.atomic_name = name;
	tarry_upc_self.atomic_target = target;
	tarry_upc_start(TARRY_UPC_ATOMIC, name);
}

void tarry_upc_atomic_does(int operation)
{
	tarry_upc_self.atomic_operation = operation;
}

void tarry_upc_atomic_end(void)
{
	struct upc_values values = UPC_NO_VALUES;

	values.name = tarry_upc_self.atomic_name;
	values.target = tarry_upc_self.atomic_target;
	values.op = tarry_upc_self.atomic_operation;
	tell(TARRY_UPC_ATOMIC, UPC_END, &values);
}
