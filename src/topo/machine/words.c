/* Synthetic machines: "switch:2 node:4 socket:2 core:8". */
#include "base/text.h"
#include "topo/machine/plan.h"

#include <stdio.h>
#include <string.h>

/* From the root on; switches may come several times. */
enum { WORD_SWITCH, WORD_NODE, WORD_SOCKET, WORD_CACHE, WORD_CORE, WORD_KINDS };

static const char *const kinds[WORD_KINDS] = {"switch", "node", "socket", "cache", "core"};

struct machine_words {
	const char *words; /* all of them, for messages */
	uint32_t switches[SWITCH_TIERS_MOST];
	uint32_t tiers;
	uint32_t counts[WORD_KINDS];
	int last;
};

static enum status words_fail(const struct machine_words *words, const char *what)
{
	return fail("machine '%.80s': %s, as in 'switch:2 node:4 socket:2 core:8'", words->words, what);
}

static int kind_of(const char *word, size_t length)
{
	for (int i = 0; i < WORD_KINDS; i++)
		if (strlen(kinds[i]) == length && strncmp(kinds[i], word, length) == 0)
			return i;
	return WORD_KINDS;
}

static enum status take_word(struct machine_words *words, const char *word, size_t length)
{
	const char *colon = memchr(word, ':', length);
	int kind = colon ? kind_of(word, (size_t)(colon - word)) : WORD_KINDS;
	uint64_t count = 0;

	if (kind == WORD_KINDS)
		return words_fail(words, "its words are switch:N, node:N, socket:N, cache:N and core:N");
	for (const char *at = colon + 1; at < word + length; at++) {
		if (*at < '0' || *at > '9' || (count = count * 10 + (uint64_t)(*at - '0')) > NODES_MOST)
			return words_fail(words, "a number has to be from 1 to 262144");
	}
	if (!count)
		return words_fail(words, "a number has to be from 1 to 262144");
	if (kind < words->last || (kind == words->last && kind != WORD_SWITCH))
		return words_fail(words, "larger things come before smaller ones, each once");
	words->last = kind;
	if (kind == WORD_SWITCH && words->tiers == SWITCH_TIERS_MOST - 2)
		return words_fail(words, "too many tiers of switches");
	if (kind == WORD_SWITCH)
		words->switches[words->tiers++] = (uint32_t)count;
	else
		words->counts[kind] = (uint32_t)count;
	return OK;
}

static enum status parse_words(const char *text, struct machine_words *words)
{
	*words = (struct machine_words){.words = text, .counts = {1, 1, 1, 1, 1}, .last = -1};
	for (const char *at = text + strspn(text, " \t,"); *at; at += strspn(at, " \t,")) {
		size_t length = strcspn(at, " \t,");
		TRY(take_word(words, at, length));
		at += length;
	}
	if (words->last < 0)
		return words_fail(words, "it is empty");
	return OK;
}

static enum status check_size(const struct machine_words *words)
{
	uint64_t nodes = words->counts[WORD_NODE];
	uint64_t cores = (uint64_t)words->counts[WORD_SOCKET] * words->counts[WORD_CACHE];

	for (uint32_t i = 0; i < words->tiers && nodes <= NODES_MOST; i++)
		nodes *= words->switches[i];
	/* Each of the two factors is below 2^37 here. */
	if (cores > NODE_CORES_MOST || cores * words->counts[WORD_CORE] > NODE_CORES_MOST)
		return words_fail(words, "a node has at most 4096 cores");
	if (nodes > NODES_MOST)
		return words_fail(words, "there are at most 262144 nodes");
	return OK;
}

/* Children of `parent`, and theirs. At most SWITCH_TIERS_MOST deep. NOLINTNEXTLINE(misc-no-recursion) */
static enum status add_children(struct machine_plan *plan, const struct machine_words *words, uint32_t tier,
                                uint32_t parent, uint32_t shape)
{
	bool are_nodes = tier == words->tiers;
	uint32_t count = are_nodes ? words->counts[WORD_NODE] : words->switches[tier];

	for (uint32_t i = 0; i < count; i++) {
		char name[64];
		uint32_t item;
		if (are_nodes)
			snprintf(name, sizeof name, "n%u", plan->node_count);
		else
			snprintf(name, sizeof name, "s%zu", plan->items.count - plan->node_count);
		item = are_nodes ? plan_node(plan, name, 0) : plan_switch(plan, name, 0);
		if (item == NO_ITEM)
			return words_fail(words, "there are too many switches");
		plan->items.items[item].shape = shape;
		plan->items.items[item].is_defined = true;
		if (parent != NO_ITEM)
			TRY(plan_put_below(plan, parent, item, 0));
		if (!are_nodes)
			TRY(add_children(plan, words, tier + 1, item, shape));
	}
	return OK;
}

enum status machine_from_words(const char *text, struct machine **machine)
{
	struct machine_words words;
	struct machine_plan plan;
	enum status status;
	uint32_t shape;

	TRY(parse_words(text, &words));
	TRY(check_size(&words));
	plan_init(&plan, "machine");
	shape = plan_shape(&plan, words.counts[WORD_SOCKET], words.counts[WORD_CACHE],
	                   words.counts[WORD_CORE]);
	status = add_children(&plan, &words, 0, NO_ITEM, shape);
	if (status == OK)
		status = machine_build(&plan, machine);
	if (status == OK) {
		(*machine)->source = arena_format(&(*machine)->arena, "machine '%s'", text);
		(*machine)->is_synthetic = true;
	}
	plan_release(&plan);
	return status;
}
