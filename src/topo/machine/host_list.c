#include "topo/machine/host_list.h"

#include "base/array.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

enum { BRACKETS_MAX = 4, DIGITS_MAX = 9, NAME_LENGTH_MAX = 255 };

/* One range inside brackets. "07-12": numbers have at least two digits. */
struct host_range {
	uint32_t first, last;
	int width;
};

struct host_bracket {
	ARRAY(struct host_range) ranges;
};

/* One entry of the list: the text around its brackets, and their ranges. */
struct host_pattern {
	const char *fixed[BRACKETS_MAX + 1];
	int fixed_length[BRACKETS_MAX + 1];
	struct host_bracket brackets[BRACKETS_MAX];
	int bracket_count;
};

struct host_expansion {
	struct arena *arena;
	size_t limit;
	struct host_names *names;
};

static enum status take_number(const char **at, uint32_t *number, int *digits)
{
	*number = 0;
	for (*digits = 0; isdigit((unsigned char)**at); (*at)++, (*digits)++) {
		if (*digits == DIGITS_MAX)
			return fail("a number has more than %d digits", DIGITS_MAX);
		*number = *number * 10 + (uint32_t)(**at - '0');
	}
	return *digits ? OK : fail("missing number in brackets");
}

/* Starts after the opening bracket, ends after the closing one. */
static enum status take_bracket(const char **at, struct host_bracket *bracket)
{
	for (;;) {
		struct host_range range;
		int digits;
		TRY(take_number(at, &range.first, &range.width));
		range.last = range.first;
		if (**at == '-') {
			(*at)++;
			TRY(take_number(at, &range.last, &digits));
		}
		if (range.last < range.first)
			return fail("range %u-%u is descending", range.first, range.last);
		array_add(&bracket->ranges, range);
		if (**at == ']')
			break;
		if (**at != ',')
			return fail("']' is missing");
		(*at)++;
	}
	(*at)++;
	return OK;
}

static enum status take_pattern(const char **at, struct host_pattern *pattern)
{
	for (;;) {
		size_t length = strcspn(*at, ",[]");
		pattern->fixed[pattern->bracket_count] = *at;
		pattern->fixed_length[pattern->bracket_count] = (int)length;
		if (length > NAME_LENGTH_MAX)
			return fail("a name has more than %d characters", NAME_LENGTH_MAX);
		*at += length;
		if (**at == ']')
			return fail("']' without '['");
		if (**at != '[')
			return pattern->bracket_count || length ? OK : fail("missing name");
		if (pattern->bracket_count == BRACKETS_MAX)
			return fail("a name has more than %d pairs of brackets", BRACKETS_MAX);
		(*at)++;
		TRY(take_bracket(at, &pattern->brackets[pattern->bracket_count++]));
	}
}

static uint64_t pattern_size(const struct host_pattern *pattern, size_t limit)
{
	uint64_t size = 1;

	for (int i = 0; i < pattern->bracket_count; i++) {
		uint64_t numbers = 0;
		for (size_t j = 0; j < pattern->brackets[i].ranges.count; j++) {
			const struct host_range *range = &pattern->brackets[i].ranges.items[j];
			numbers += (uint64_t)range->last - range->first + 1;
		}
		/* No overflow: both are below 2^43. */
		if (numbers > limit || (size *= numbers) > limit)
			return UINT64_MAX;
	}
	return size;
}

static void add_names(struct host_expansion *to, const struct host_pattern *pattern, int bracket,
                      struct text *name)
{
	size_t before = name->length;

	text_add(name, "%.*s", pattern->fixed_length[bracket], pattern->fixed[bracket]);
	if (bracket == pattern->bracket_count) {
		array_add(to->names, arena_text(to->arena, text_get(name)));
	} else {
		const struct host_bracket *numbers = &pattern->brackets[bracket];
		size_t fixed = name->length;
		for (size_t i = 0; i < numbers->ranges.count; i++) {
			const struct host_range *range = &numbers->ranges.items[i];
			for (uint32_t number = range->first; number <= range->last; number++) {
				text_add(name, "%0*u", range->width, number);
				/* Recursion depth: BRACKETS_MAX. NOLINTNEXTLINE(misc-no-recursion) */
				add_names(to, pattern, bracket + 1, name);
				name->length = fixed;
				name->bytes[fixed] = 0;
			}
		}
	}
	name->length = before;
	if (name->bytes)
		name->bytes[before] = 0;
}

static enum status expand_pattern(struct host_expansion *to, const char **at)
{
	struct host_pattern pattern = {0};
	struct text name = {0};
	enum status status = take_pattern(at, &pattern);

	if (status == OK) {
		if (pattern_size(&pattern, to->limit) > to->limit - to->names->count)
			status = fail("more than %zu names", to->limit);
		else
			add_names(to, &pattern, 0, &name);
	}
	for (int i = 0; i < pattern.bracket_count; i++)
		array_release(&pattern.brackets[i].ranges);
	text_release(&name);
	return status;
}

enum status host_list_expand(const char *list, struct arena *arena, size_t limit, struct host_names *names)
{
	struct host_expansion to = {.arena = arena, .limit = limit, .names = names};
	const char *at = list;

	for (;;) {
		if (names->count > limit)
			return fail("more than %zu names", limit);
		TRY_BECAUSE(expand_pattern(&to, &at), "list of hosts '%.60s'", list);
		if (!*at)
			return OK;
		if (*at != ',')
			return fail("list of hosts '%.60s': missing ','", list);
		at++;
	}
}
