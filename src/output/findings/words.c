#include "output/findings/words.h"

#include "calls/calls.h"
#include "language/language.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Texts of checks */

static bool is_name(const char *name, size_t length, const char *wanted)
{
	return strlen(wanted) == length && strncmp(name, wanted, length) == 0;
}

/* Function and rank of a call. False: not such a name. */
static bool add_of_call(struct text *out, const char *name, size_t length,
                        const struct check_finding *finding, uint32_t number)
{
	const struct check_call *call = number < finding->call_count ? &finding->calls[number] : NULL;

	if (is_name(name, length, number ? "other" : "function"))
		text_add(out, "%s", call ? all_calls[call->function].name : "?");
	else if (!is_name(name, length, number ? "other_rank" : "rank"))
		return false;
	else if (call && call->rank != UINT32_MAX)
		text_add(out, "%" PRIu32, call->rank);
	else
		text_add(out, "?");
	return true;
}

/* The last of numbers counted from 0. False: none. */
static bool add_last(struct text *out, const struct check_finding *finding)
{
	for (uint32_t i = 0; i < finding->value_count; i++) {
		const struct check_value *value = &finding->values[i];
		int64_t count;

		if ((strcmp(value->name, "size") != 0 && strcmp(value->name, "partitions") != 0) ||
		    parse_integer(value->text, &count) != OK)
			continue;
		text_add(out, "%" PRId64, count - 1);
		return true;
	}
	return false;
}

static void add_named(struct text *out, const char *name, size_t length, const struct check_finding *finding,
                      const char *lang)
{
	for (uint32_t i = 0; i < finding->value_count; i++)
		if (is_name(name, length, finding->values[i].name)) {
			const struct check_value *value = &finding->values[i];
			const char *function = value->text + strlen(MADE_BY);

			if (!text_begins(value->text, MADE_BY))
				text_add(out, "%s", translate_value(lang, value->text));
			else
				add_filled(out,
				           translate(lang, strstr(value->name, "comm")
				                                   ? "the communicator from $1"
				                                   : "the datatype from $1"),
				           &function);
			return;
		}
	if (!add_of_call(out, name, length, finding, 0) && !add_of_call(out, name, length, finding, 1) &&
	    !(is_name(name, length, "last") && add_last(out, finding)))
		text_add(out, "?");
}

/* "processes:This process/These # processes": the form for one, or the form for another number, with the
 * number instead of '#'. */
static void add_form(struct text *out, const char *form, size_t length, const struct check_finding *finding,
                     const char *lang)
{
	size_t name = strcspn(form, ":"), one = strcspn(form + name + 1, "/");
	const char *words = form + name + 1, *end = form + length;
	scoped_text number = {0};

	add_named(&number, form, name, finding, lang);
	if (strcmp(text_get(&number), "1") == 0)
		end = words + one;
	else
		words += one + 1;
	for (; words < end; words++)
		if (*words == '#')
			text_add(out, "%s", text_get(&number));
		else
			text_add_bytes(out, words, 1);
}

void message_fill(struct text *out, const char *text, const struct check_finding *finding, const char *lang)
{
	while (*text) {
		size_t plain = strcspn(text, "{"), length;

		text_add_bytes(out, text, plain);
		text += plain;
		if (!*text)
			return;
		length = strcspn(text, "}");
		if (memchr(text, ':', length))
			add_form(out, text + 1, length - 1, finding, lang);
		else
			add_named(out, text + 1, length - 1, finding, lang);
		text += length + (text[length] == '}');
	}
}

/* The role of a call in a finding */

const char *findings_function(const struct check_call *call)
{
	static const char *const others[] = {NOTE_READ, NOTE_WRITTEN, NOTE_RELEASED, NOTE_STARTED,
	                                     NOTE_CRASHED};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(call->note, others[i]) == 0)
			return "";
	return all_calls[call->function].name;
}

const char *findings_note(const char *note, const char *lang)
{
	/* Other notes are English words themselves. */
	static const struct {
		const char *note, *words;
	} special[] = {{NOTE_SENT, "message|sent"},      {NOTE_RECEIVED, "message|received"},
	               {NOTE_BEHIND, "waits for these"}, {NOTE_ENDED, "has finished"},
	               {NOTE_RELEASED, "memory freed"},  {NOTE_STARTED, "thread started"}};

	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if (strcmp(special[i].note, note) == 0)
			return translate(lang, special[i].words);
	return translate_value(lang, note);
}

/* Ranks */

static void add_run(const struct findings *findings, const struct world_rank *from,
                    const struct world_rank *to, struct text *out)
{
	if (from->rank == UINT32_MAX)
		text_add(out, "%s", translate(findings->lang, "before MPI_Init"));
	else if (from->rank == to->rank)
		text_add(out, "%" PRIu32, from->rank);
	else
		text_add(out, from->rank + 1 == to->rank ? "%" PRIu32 ", %" PRIu32 : "%" PRIu32 "-%" PRIu32,
		         from->rank, to->rank);
	if (findings->world_count > 1 && from->rank != UINT32_MAX)
		text_add(out, "%s%" PRIu32, translate(findings->lang, " of world "), from->world + 1);
}

void rank_list_numbers(const struct findings *findings, const struct finding_ranks *list, size_t most,
                       struct text *out)
{
	size_t runs = 0, i = 0;

	for (; i < list->count && runs < most; runs++) {
		size_t end = i + 1;
		while (end < list->count && list->items[end].world == list->items[i].world &&
		       list->items[end].rank == list->items[end - 1].rank + 1)
			end++;
		text_add(out, "%s", runs ? ", " : "");
		add_run(findings, &list->items[i], &list->items[end - 1], out);
		i = end;
	}
	if (i < list->count)
		text_add(out, ", %zu%s", list->count - i, translate(findings->lang, "rank| more"));
}

bool rank_list_is_known(const struct finding_ranks *list)
{
	return list->count && list->items[0].rank != UINT32_MAX;
}

void rank_list_describe(const struct findings *findings, const struct finding_ranks *list, struct text *out)
{
	const char *noun = list->count == 1 ? "rank " : "ranks ";

	if (rank_list_is_known(list))
		text_add(out, "%s", translate(findings->lang, noun));
	rank_list_numbers(findings, list, RANK_RUNS_SHOWN, out);
}

static int by_rank(const void *left, const void *right)
{
	const struct world_rank *a = left, *b = right;

	if (a->world != b->world)
		return a->world < b->world ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

void rank_list_sort(struct finding_ranks *list)
{
	size_t kept = 0;

	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, by_rank);
	for (size_t i = 0; i < list->count; i++)
		if (!kept || by_rank(&list->items[kept - 1], &list->items[i]) != 0)
			list->items[kept++] = list->items[i];
	list->count = kept;
}

bool rank_list_contains(const struct finding_ranks *list, const struct finding_ranks *part)
{
	for (size_t i = 0; i < part->count; i++)
		if (!bsearch(&part->items[i], list->items, list->count, sizeof *list->items, by_rank))
			return false;
	return true;
}

bool rank_list_equal(const struct finding_ranks *a, const struct finding_ranks *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = by_rank(&a->items[i], &b->items[i]) == 0;
	return same;
}

static uint32_t number_world(struct findings *findings, uint64_t world)
{
	uint32_t number = findings_world(findings, world);

	if (number == findings->world_count)
		arena_add(&findings->arena, findings->worlds, findings->world_count, world);
	return number;
}

void rank_list_add(struct findings *findings, struct finding_ranks *list, const struct check_call *call)
{
	struct world_rank rank = {number_world(findings, call->world), call->rank};

	arena_add(&findings->arena, list->items, list->count, rank);
}
