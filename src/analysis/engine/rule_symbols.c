#include "analysis/engine/rule_symbols.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct rule_symbols *rule_symbols_new(struct reader *reader, const struct nodes *nodes)
{
	struct rule_symbols *symbols = memory_new(1, sizeof *symbols);

	symbols->reader = reader;
	symbols->nodes = nodes;
	symbols->texts.arena = symbols->keys.arena = &symbols->arena;
	symbols->no_region = rule_symbols_text(symbols, "");
	return symbols;
}

void rule_symbols_free(struct rule_symbols *symbols)
{
	if (!symbols)
		return;
	places_release(&symbols->places);
	free(symbols->text_list);
	free(symbols->commons);
	for (size_t i = 0; i < REGION_BLOCKS; i++)
		free(symbols->regions[i]);
	arena_release(&symbols->arena);
	free(symbols);
}

/* Texts and functions */

int64_t rule_symbols_text(void *context, const char *text)
{
	struct rule_symbols *symbols = context;
	const struct interned *interned = intern(&symbols->texts, text, strlen(text));

	array_fit(symbols->text_list, symbols->text_room, interned->number + 1u);
	symbols->text_list[interned->number] = (const char *)interned->bytes;
	return (int64_t)interned->number;
}

const char *symbols_text_of(const struct rule_symbols *symbols, int64_t number)
{
	return number >= 0 && (size_t)number < symbols->texts.count ? symbols->text_list[number] : "";
}

int64_t rule_symbols_function(void *context, const char *name)
{
	const struct call_info *info = call_find(name);

	return info ? info - all_calls : FIRST_FOREIGN + rule_symbols_text(context, name);
}

const char *symbols_function_name(const struct rule_symbols *symbols, int64_t number)
{
	if (number >= FIRST_FOREIGN)
		return symbols_text_of(symbols, number - FIRST_FOREIGN);
	return number >= 0 && number < ALL_CALLS ? all_calls[number].name : "";
}

void rule_symbols_region_begun(struct rule_symbols *symbols, uint32_t phase, const char *name)
{
	int64_t **block = &symbols->regions[phase / REGION_BLOCK];

	if (!*block)
		*block = memory_new(REGION_BLOCK, sizeof **block);
	(*block)[phase % REGION_BLOCK] = rule_symbols_text(symbols, name);
}

int64_t rule_symbols_region(void *context, uint32_t phase)
{
	const struct rule_symbols *symbols = context;
	const int64_t *block = phase ? symbols->regions[phase / REGION_BLOCK] : NULL;

	/* The phase of an absent call may be anything. */
	return block ? block[phase % REGION_BLOCK] : symbols->no_region;
}

int64_t rule_symbols_delay(void *context, uint32_t process, uint32_t thread, int64_t start)
{
	const struct rule_symbols *symbols = context;

	return propagated_delay_at(symbols->delays, process, thread, start + *symbols->start_ns);
}

int64_t rule_symbols_waited_delay(void *context, uint32_t process, uint32_t thread, int64_t start)
{
	const struct rule_symbols *symbols = context;

	return propagated_waited_delay_at(symbols->delays, process, thread, start + *symbols->start_ns);
}

int64_t rule_symbols_exit_delay(void *context, uint32_t process, uint32_t thread, int64_t end)
{
	const struct rule_symbols *symbols = context;

	return propagated_exit_delay_at(symbols->delays, process, thread, end + *symbols->start_ns);
}

int64_t rule_symbols_estimate(void *context, uint32_t from, uint32_t to, int64_t bytes)
{
	const struct rule_symbols *symbols = context;

	if (from == NO_PROCESS || to == NO_PROCESS)
		return ABSENT;
	return estimate_word(symbols->nodes->of[from], symbols->nodes->of[to], bytes);
}

/* Questions to a distinct call */

/* As posted: RANK_ANY for any source. */
static int64_t asked_source(const struct call_semantics *semantics)
{
	const struct call_info *info = semantics->kind->info;

	if (info && info->pgas == PGAS_ACCESS)
		return field_or(semantics->call, FIELD_SOURCE, RANK_NULL);
	if (!info || (!call_receives(info) && info->class != CLASS_PROBE))
		return RANK_NULL;
	return field_or(semantics->call, call_sends(info) ? FIELD_RECV_PEER : FIELD_PEER, RANK_NULL);
}

static const struct comm *comm_of(const struct rule_symbols *symbols, const struct call_semantics *semantics)
{
	int64_t identity = field_or(semantics->call, FIELD_COMM, 0);

	return find_comm(&symbols->reader->processes[semantics->process], (uint64_t)identity);
}

/* Columns that are a field of the call, and their values without it. */
static const struct {
	enum field_key key;
	int64_t otherwise;
} plain_columns[CALL_COLUMNS_END] = {
	[CALL_COLUMN_COMM] = {FIELD_COMM, 0},
	[CALL_COLUMN_TAG] = {FIELD_TAG, TAG_ANY},
	[CALL_COLUMN_ROOT] = {FIELD_ROOT, RANK_NULL},
	[CALL_COLUMN_SENT] = {FIELD_SENT, 0},
	[CALL_COLUMN_RECEIVED] = {FIELD_RECEIVED, 0},
	[CALL_COLUMN_WINDOW] = {FIELD_WIN, 0},
	[CALL_COLUMN_TARGET] = {FIELD_TARGET, RANK_NULL},
	[CALL_COLUMN_FILE] = {FIELD_FILE, 0},
	[CALL_COLUMN_MUTEX] = {FIELD_MUTEX, 0},
	[CALL_COLUMN_COUNT] = {FIELD_COUNT, 0},
	[CALL_COLUMN_RESULT] = {FIELD_RESULT, 0},
};

/* ALLSYNC is also the default of UPC. */
static int64_t sync_of(const struct call_semantics *semantics, int64_t my, int64_t no)
{
	int64_t sync = field_or(semantics->call, FIELD_SYNC, -1);

	return sync < 0 ? 0 : sync & no ? 3 : sync & my ? 2 : 1;
}

static int64_t column_of(struct rule_symbols *symbols, const struct call_semantics *semantics,
                         enum call_column column)
{
	const struct process *process = &symbols->reader->processes[semantics->process];
	const struct call_info *info = semantics->kind->info;
	const struct comm *comm;
	int64_t number;

	switch (column) {
	case CALL_COLUMN_RANK:
		return process->rank == PROCESS_UNKNOWN ? RANK_NULL : (int64_t)process->rank;
	case CALL_COLUMN_PROCESS:
		return semantics->process;
	case CALL_COLUMN_NODE:
		return symbols->nodes->of[semantics->process];
	case CALL_COLUMN_FUNCTION:
		return info ? info - all_calls
		            : rule_symbols_function(symbols, semantics->call->outline->name);
	case CALL_COLUMN_MODE:
		return rule_symbols_text(symbols, info ? mode_names[info->mode] : "");
	case CALL_COLUMN_MOVES:
		return rule_symbols_text(symbols, info ? moves_names[info->moves] : "");
	case CALL_COLUMN_IS_NONBLOCKING:
		return info && call_is_nonblocking(info);
	case CALL_COLUMN_COMPLETES:
		return rule_symbols_text(
			symbols, info && call_completes(info) ? completes_names[info->completes] : "");
	case CALL_COLUMN_PLACE:
		return place_of(&symbols->places, process, semantics->call);
	case CALL_COLUMN_COMM_SIZE:
		comm = comm_of(symbols, semantics);
		return comm ? (int64_t)comm->size : 0;
	case CALL_COLUMN_COMM_RANK:
		comm = comm_of(symbols, semantics);
		return comm ? (int64_t)comm->rank : RANK_NULL;
	case CALL_COLUMN_DEST:
		return info && call_sends(info) ? field_or(semantics->call, FIELD_PEER, RANK_NULL)
		                                : RANK_NULL;
	case CALL_COLUMN_SOURCE:
		return asked_source(semantics);
	case CALL_COLUMN_IS_UPC:
		return info && call_is_pgas(info);
	case CALL_COLUMN_SYNC_IN:
		return sync_of(semantics, SYNC_IN_MY, SYNC_IN_NO);
	case CALL_COLUMN_SYNC_OUT:
		return sync_of(semantics, SYNC_OUT_MY, SYNC_OUT_NO);
	case CALL_COLUMN_REQUEST:
		number = field_or(semantics->call, FIELD_REQUEST, -1);
		return number < 0 ? -1 : (int64_t)((uint64_t)semantics->process << 32 | (uint64_t)number);
	default:
		return field_or(semantics->call, plain_columns[column].key, plain_columns[column].otherwise);
	}
}

int64_t eager_limit(const struct nodes *nodes, const struct call_semantics *semantics)
{
	if (!(semantics->does & CALL_SENDS) || semantics->dest_process == NO_PROCESS)
		return -1;
	return eager_between(nodes, semantics->process, semantics->dest_process);
}

static int64_t fact_of(struct rule_symbols *symbols, const struct call_semantics *semantics,
                       struct fact_slot slot)
{
	const struct call *call = semantics->call;
	const struct call_info *info = semantics->kind->info;
	bool both = info && call_sends(info);
	int64_t bytes;

	switch (slot.kind) {
	case FACT_COLUMN:
		return column_of(symbols, semantics, (enum call_column)slot.number);
	case FACT_WILDCARD:
		return info && call_receives(info) &&
		       (field_or(call, both ? FIELD_RECV_PEER : FIELD_PEER, 0) == RANK_ANY ||
		        field_or(call, both ? FIELD_RECV_TAG : FIELD_TAG, 0) == TAG_ANY);
	case FACT_BYTES:
		bytes = field_or(call, FIELD_SENT, 0);
		return bytes > 0 || slot.number == 0 ? bytes : field_or(call, FIELD_RECEIVED, 0);
	case FACT_ENVELOPE:
		if (slot.number == ENVELOPE_COMM)
			return (int64_t)semantics->kind->comm;
		if (slot.number == ENVELOPE_SOURCE)
			return semantics->own_rank;
		return slot.number == ENVELOPE_DEST ? semantics->dest : semantics->kind->tag;
	case FACT_EAGER:
		return eager_limit(symbols->nodes, semantics);
	case FACT_PARAM:
		/* The value that follows the name of a parameter. */
		for (uint32_t i = 0; i + 1 < field_count(call); i++) {
			struct field param = field_at(call, i), value = field_at(call, i + 1);
			if (param.key != FIELD_PARAM ||
			    strcmp(field_text(param), symbols_text_of(symbols, slot.number)) != 0)
				continue;
			return value.key == FIELD_TEXT ? rule_symbols_text(symbols, field_text(value))
			                               : value.value;
		}
		return ABSENT;
	case FACT_DERIVED:
	case FACT_BITS:
		break;
	}
	return -1;
}

/* Facts */

/* It is needed while slots are still being assigned. */
const struct rule_facts *rule_symbols_nowhere(struct arena *arena)
{
	int64_t *common = arena_array(arena, int64_t, FACT_SLOTS);
	struct rule_facts *facts;

	for (uint32_t i = 0; i < FACT_SLOTS; i++)
		common[i] = ABSENT;
	facts = arena_alloc(arena, 1, offsetof(struct rule_facts, own) + FACT_SLOTS * sizeof *facts->own);
	for (uint32_t i = 0; i < FACT_SLOTS; i++)
		facts->own[i] = INT32_MIN;
	facts->common = facts->loose = common;
	return facts;
}

static void put_answer(const struct engine *engine, const struct answer *answer, int64_t *common)
{
	int64_t value = is_constant(answer->value)
	                        ? answer->value->value.i
	                        : node_values(answer->value, &engine->answer_space->all)->i;
	uint64_t bit = UINT64_C(1) << answer->bit % BITS_MAX;

	if (answer->bit == VALUE_ALONE)
		common[answer->slot] = value;
	else
		common[answer->slot] = (int64_t)(value ? (uint64_t)common[answer->slot] | bit
		                                       : (uint64_t)common[answer->slot] & ~bit);
}

/* `common` is that of the facts. */
static void derive(struct engine *engine, const struct rule_facts *facts, int64_t *common, bool is_early)
{
	union word word = facts_word(facts);

	space_begin(engine->answer_space, 1);
	engine->answer_facts->column = &word;
	for (uint32_t i = 0; i < engine->derived_count; i++)
		if (engine->derived_list[i].is_early == is_early)
			put_answer(engine, &engine->derived_list[i], common);
}

void rule_symbols_derive_nowhere(struct engine *engine)
{
	int64_t *common = (int64_t *)(uintptr_t)engine->nowhere->common;

	derive(engine, engine->nowhere, common, true);
	derive(engine, engine->nowhere, common, false);
}

static void answer(struct engine *engine, const struct rule_facts *facts, int64_t *common, bool is_early)
{
	union word word = facts_word(facts);

	derive(engine, facts, common, is_early);
	engine->answer_facts->column = &word;
	for (uint32_t i = 0; i < engine->answer_count; i++) {
		if (engine->answer_list[i].is_early == is_early)
			put_answer(engine, &engine->answer_list[i], common);
	}
}

/* A cache of the shared facts of recent calls: calls of many processes have equal ones. */

enum { KNOWN_FACTS = 1 << 12 };

struct known_facts {
	const int64_t *common, *loose;
	int64_t shown[];
};

static void prepare(struct rule_symbols *symbols, const struct engine *engine)
{
	const struct fact_list *common = &engine->facts.common, *loose = &engine->facts.loose;
	size_t max = (size_t)common->count + loose->count + 1;

	symbols->key = arena_array(&symbols->arena, int64_t, common->count + 1);
	symbols->own = arena_array(&symbols->arena, int64_t, engine->facts.own.count + 1);
	symbols->shown = arena_array(&symbols->arena, int64_t, max);
	symbols->signs = arena_array(&symbols->arena, struct fact_slot, max);
	symbols->known = arena_array(&symbols->arena, struct known_facts *, KNOWN_FACTS);
	/* The loose facts come first, as in struct rule_facts. */
	for (uint32_t i = 0; i < loose->count; i++)
		symbols->signs[symbols->sign_count++] = loose->slots[i];
	for (uint32_t i = 0; i < common->count; i++) {
		struct fact_slot slot = common->slots[i];
		bool follows_from_outline = slot.kind == FACT_COLUMN
		                                    ? slot.number != CALL_COLUMN_PLACE &&
		                                              slot.number != CALL_COLUMN_COMM_SIZE
		                                    : slot.kind >= FACT_DERIVED;
		if (!follows_from_outline)
			symbols->signs[symbols->sign_count++] = slot;
	}
}

/* The common facts of calls, by the key of the present call. */
static const int64_t *find_common(struct rule_symbols *symbols, struct engine *engine,
                                  struct rule_facts *facts)
{
	size_t bytes = engine->facts.common.count * sizeof *symbols->key;
	size_t number = intern(&symbols->keys, symbols->key, bytes)->number;
	int64_t *common;

	if (number == symbols->common_count) {
		common = arena_alloc(&symbols->arena, 1, bytes + sizeof *common);
		memcpy(common, symbols->key, bytes);
		facts->common = common;
		answer(engine, facts, common, false);
		array_fit(symbols->commons, symbols->common_room, symbols->common_count + 1u);
		symbols->commons[symbols->common_count++] = common;
	}
	return symbols->commons[number];
}

void rule_symbols_add_facts(struct rule_symbols *symbols, struct engine *engine,
                            const struct call_semantics *semantics)
{
	const struct fact_list *own = &engine->facts.own;
	struct known_facts **known;
	struct rule_facts *facts;
	uint32_t count, signs;

	if (!symbols->key)
		prepare(symbols, engine);
	for (uint32_t i = 0; i < own->count; i++)
		symbols->own[i] = fact_of(symbols, semantics, own->slots[i]);
	facts = new_facts(&engine->facts_of, &symbols->arena, symbols->own, own->count);
	facts->call = semantics->call;
	facts->process = semantics->process & INT32_MAX;
	signs = symbols->sign_count;
	for (uint32_t i = 0; i < signs; i++)
		symbols->shown[i] = fact_of(symbols, semantics, symbols->signs[i]);
	symbols->shown[signs] = (int64_t)(uintptr_t)semantics->call->outline;
	count = signs + 1;
	known = &symbols->known[hash_fold(hash_words(symbols->shown, count, 0)) % KNOWN_FACTS];
	if (!*known || memcmp((*known)->shown, symbols->shown, count * sizeof *symbols->shown) != 0) {
		size_t bytes = count * sizeof *symbols->shown;
		struct known_facts *fresh = arena_alloc(&symbols->arena, 1, sizeof *fresh + bytes);
		const struct fact_list *slots = &engine->facts.common;

		memcpy(fresh->shown, symbols->shown, bytes);
		fresh->loose = facts->loose = fresh->shown;
		/* Everything that determines common facts, including the answers that depend on other
		 * facts. */
		for (uint32_t i = 0; i < slots->count; i++)
			symbols->key[i] = fact_of(symbols, semantics, slots->slots[i]);
		facts->common = symbols->key;
		answer(engine, facts, symbols->key, true);
		fresh->common = facts->common = find_common(symbols, engine, facts);
		*known = fresh;
	}
	facts->common = (*known)->common;
	facts->loose = (*known)->loose;
}
