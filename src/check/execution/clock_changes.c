#include "check/execution/clock_changes.h"

static const struct clock_chunk *chunk_at(const struct vector_clock *clock, uint32_t number)
{
	return clock && number < clock->chunk_count ? clock->chunks[number] : NULL;
}

static void put_chunk(struct message_writer *out, const struct clock_names *names, uint32_t number,
                      const struct clock_chunk *from, const struct clock_chunk *to)
{
	for (uint32_t i = 0; i < CLOCK_CHUNK; i++) {
		const uint64_t before = from ? from->counts[i] : 0, after = to ? to->counts[i] : 0;

		if (before == after)
			continue;
		put_number(out, names->name(names->owner, number * CLOCK_CHUNK + i) + 1ull);
		put_number(out, after);
	}
}

void clock_put_changes(struct message_writer *out, const struct clock_names *names,
                       struct vector_clock **from, struct vector_clock *to)
{
	const uint32_t chunks = *from && (!to || (*from)->chunk_count > to->chunk_count)
	                                ? (*from)->chunk_count
	                        : to ? to->chunk_count
	                             : 0;

	for (uint32_t i = 0; *from != to && i < chunks; i++)
		if (chunk_at(*from, i) != chunk_at(to, i))
			put_chunk(out, names, i, chunk_at(*from, i), chunk_at(to, i));
	put_number(out, 0);
	clock_keep(to);
	clock_drop(*from);
	*from = to;
}

void clock_take_changes(struct cursor *in, const struct clock_names *names, struct vector_clock **clock)
{
	uint64_t name;

	while (!in->bad && (name = take_varint(in)) != 0) {
		const uint64_t count = take_varint(in);
		const uint32_t component = name > UINT32_MAX || in->bad
		                                   ? UINT32_MAX
		                                   : names->component(names->owner, (uint32_t)name - 1);

		if (component == UINT32_MAX)
			in->bad = true;
		else
			clock_set(clock, component, count);
	}
}

void clock_skip_changes(struct cursor *in)
{
	while (!in->bad && take_varint(in) != 0)
		take_varint(in);
}
