/* Works out of the conditions of all rules what a row needs at the least. */
#include "analysis/engine/group.h"
#include "analysis/engine/interest_cases.h"
#include "analysis/engine/stateful.h"

/* That a condition holds, or that `high` is greater than `low` by `least` or more. */
struct claim {
	struct node *condition, *low, *high;
	int64_t least;
};

/* What a rule needs, while it becomes tests. */
struct draft {
	struct interest *interest;
	const struct intake *intake;
	struct claim claims[CLAIMS_MOST];
	uint32_t count;
	struct test_case found;
	bool has_member; /* claims something of one member: what is claimed of the greatest may be of another */
};

static bool is_alike(const struct test *a, const struct test *b)
{
	return a->kind == b->kind && is_at(a->at, b->at) && is_at(a->since, b->since) && a->slot == b->slot &&
	       a->need == b->need;
}

static bool has_test(const struct test_case *one, const struct test *wanted)
{
	for (uint32_t i = 0; i < one->count; i++)
		if (is_alike(&one->tests[i], wanted) && one->tests[i].least == wanted->least)
			return true;
	return false;
}

/* What is left out makes the case wider. */
static void add_test(struct draft *draft, struct test test)
{
	if (draft->found.count < TESTS_MOST && !has_test(&draft->found, &test))
		draft->found.tests[draft->found.count++] = test;
}

static void claim(struct draft *draft, struct claim claim)
{
	if (draft->count < CLAIMS_MOST)
		draft->claims[draft->count++] = claim;
}

static void claim_condition(struct draft *draft, struct node *condition)
{
	claim(draft, (struct claim){.condition = condition});
}

static void claim_order(struct draft *draft, struct node *low, struct node *high, int64_t least)
{
	claim(draft, (struct claim){.low = low, .high = high, .least = least});
}

static const struct lane *lane_of(const struct draft *draft, const struct node *node, enum lane_kind kind)
{
	const struct lane *lane = node->kind == NODE_TOLD ? &draft->intake->lanes[node->number] : NULL;

	return lane && lane->kind == kind ? lane : NULL;
}

static struct node *below_spread(struct node *node)
{
	return node->kind == NODE_SPREAD ? node->args[0] : node;
}

static void claim_bits(struct draft *draft, struct bit_filter filter)
{
	const struct node *bits = below_spread(filter.bits);
	const struct lane *lane = &draft->intake->lanes[bits->number];
	const struct bit_source *source = lane->source;
	struct test test = {.at = {lane->told, lane->offset}};

	if (lane->kind == LANE_CALL_BITS) {
		test.kind = TEST_FACTS;
		test.slot = source->slot;
		test.need = filter.need;
	} else {
		test.kind = TEST_FLAG;
		for (uint32_t value = 0; value < 2; value++)
			test.need |= (uint64_t)((source->flags[value] & filter.need) == filter.need) << value;
	}
	add_test(draft, test);
}

static void claim_all(struct draft *draft, const struct conditions *conditions)
{
	for (uint32_t i = 0; i < conditions->filter_count; i++)
		claim_bits(draft, conditions->filters[i]);
	for (uint32_t i = 0; i < conditions->count; i++)
		claim_condition(draft, conditions->nodes[i]);
}

static void settle(struct draft *draft);

static void settle_either(const struct draft *draft, struct claim one, struct claim other)
{
	struct draft branch = *draft;

	claim(&branch, one);
	settle(&branch);
	branch = *draft;
	claim(&branch, other);
	settle(&branch);
}

static void settle_fact(struct draft *draft, const struct node *bit)
{
	const struct node *fact = bit->args[0];
	const struct lane *lane = fact->kind == NODE_FACT ? lane_of(draft, fact->args[0], LANE_FACTS) : NULL;

	if (lane && fact->number < FACT_SLOTS)
		add_test(draft, (struct test){.kind = TEST_FACTS,
		                              .at = {lane->told, lane->offset},
		                              .slot = fact->number,
		                              .need = UINT64_C(1) << bit->args[1]->value.i});
}

/* True: branches were settled instead of the draft, or nothing can meet it. */
static bool settle_condition(struct draft *draft, struct node *node)
{
	if (is_constant(node))
		return !node->value.i;
	if (node->kind == NODE_SPREAD) {
		claim_condition(draft, node->args[0]);
	} else if (is_vector(node, VECTOR_AND)) {
		claim_condition(draft, node->args[0]);
		claim_condition(draft, node->args[1]);
	} else if (is_vector(node, VECTOR_OR)) {
		settle_either(draft, (struct claim){.condition = node->args[0]},
		              (struct claim){.condition = node->args[1]});
		return true;
	} else if (is_vector(node, VECTOR_LESS) || is_vector(node, VECTOR_LESS_EQUAL)) {
		claim_order(draft, node->args[0], node->args[1], node->vector == VECTOR_LESS);
	} else if (is_vector(node, VECTOR_BIT)) {
		settle_fact(draft, node);
	}
	return false;
}

/* A constant that is added: the other summand; NULL: there is none. */
static struct node *without_constant(struct node *node, int64_t *constant)
{
	bool is_sum = is_vector(node, VECTOR_ADD), is_rest = is_vector(node, VECTOR_SUBTRACT);
	uint32_t at = is_sum && is_constant(node->args[0]) ? 0 : 1;

	if ((!is_sum && !is_rest) || !is_constant(node->args[at]) || node->args[at]->value.i == ABSENT)
		return NULL;
	*constant = is_sum ? node->args[at]->value.i : -node->args[at]->value.i;
	return node->args[1 - at];
}

static void settle_words(struct draft *draft, const struct claim *claim)
{
	const struct lane *high = lane_of(draft, claim->high, LANE_WORD);
	const struct lane *low = lane_of(draft, claim->low, LANE_WORD);
	const struct folding *greatest = is_constant(claim->low) ? greatest_of(claim->high) : NULL;

	if (high && low) {
		add_test(draft, (struct test){.kind = TEST_LATER,
		                              .at = {high->told, high->offset},
		                              .since = {low->told, low->offset},
		                              .least = claim->least});
	} else if (greatest && !draft->has_member) {
		draft->has_member = true;
		claim_order(draft, claim->low, greatest->value, claim->least);
		claim_all(draft, &greatest->filter->conditions);
	}
}

static bool settle_order(struct draft *draft, struct claim claim)
{
	struct node *low = claim.low = below_spread(claim.low), *high = claim.high = below_spread(claim.high);
	bool is_high = is_vector(high, VECTOR_LEAST) || is_vector(high, VECTOR_GREATEST);
	struct node *extreme = is_high ? high : low, *rest;
	struct claim one = claim, other = claim;
	int64_t constant;

	if (is_high || is_vector(low, VECTOR_LEAST) || is_vector(low, VECTOR_GREATEST)) {
		*(is_high ? &one.high : &one.low) = extreme->args[0];
		*(is_high ? &other.high : &other.low) = extreme->args[1];
		if (is_high == (extreme->vector == VECTOR_GREATEST)) {
			settle_either(draft, one, other);
			return true;
		}
		claim_order(draft, one.low, one.high, one.least);
		claim_order(draft, other.low, other.high, other.least);
	} else if ((rest = without_constant(high, &constant))) {
		claim_order(draft, low, rest, claim.least - constant);
	} else if ((rest = without_constant(low, &constant))) {
		claim_order(draft, rest, high, claim.least + constant);
	} else if (is_vector(high, VECTOR_SUBTRACT) && is_constant(low)) {
		claim_order(draft, high->args[1], high->args[0], claim.least + low->value.i);
	} else {
		settle_words(draft, &claim);
	}
	return false;
}

static bool is_part_of(const struct test_case *part, const struct test_case *whole)
{
	for (uint32_t i = 0; i < part->count; i++)
		if (!has_test(whole, &part->tests[i]))
			return false;
	return true;
}

/* A case that is part of another one covers it. */
static void add_case(struct interest *interest, struct test_case *one)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < interest->count; i++)
		if (is_part_of(&interest->cases[i], one))
			return;
	for (uint32_t i = 0; i < interest->count; i++)
		if (!is_part_of(one, &interest->cases[i]))
			interest->cases[kept++] = interest->cases[i];
	interest->count = kept;
	interest->is_any |= kept == CASES_MOST;
	if (!interest->is_any)
		interest->cases[interest->count++] = *one;
}

static bool settle_claim(struct draft *draft, struct claim claim)
{
	if (claim.condition)
		return settle_condition(draft, claim.condition);
	return claim.low && claim.high && settle_order(draft, claim);
}

static void settle(struct draft *draft)
{
	while (draft->count)
		if (settle_claim(draft, draft->claims[--draft->count]))
			return;
	add_case(draft->interest, &draft->found);
}

static void settle_with(const struct draft *draft, const struct conditions *conditions, bool is_for_each)
{
	struct draft whole = *draft;

	whole.has_member = is_for_each;
	claim_all(&whole, conditions);
	settle(&whole);
}

/* What all who want the rows of a table need. */
static void add_wants(const struct draft *above, const struct table *table)
{
	struct draft draft = *above;

	if (table->kind == TABLE_GROUP) {
		claim_all(&draft, &table->group_conditions);
		claim_all(&draft, &table->member_conditions);
	}
	claim_all(&draft, &table->conditions);
	for (uint32_t i = 0; i < table->watch_count; i++)
		settle_with(&draft, &table->watches[i]->conditions, table->watches[i]->problem->is_for_each);
	for (uint32_t i = 0; i < table->port_count; i++)
		settle_with(&draft, &table->ports[i]->conditions, false);
	for (uint32_t i = 0; i < table->wanted_count; i++)
		add_wants(&draft, table->wanted_by[i]);
}

/* Something of the row is later than something that its group has in common: this is what most rows are not. */
static bool is_telling(const struct test *test)
{
	return test->kind == TEST_LATER && test->at.told == PART_ROW && test->since.told == PART_GROUP;
}

static const struct test *find_alike(const struct test_case *one, const struct test *wanted)
{
	for (uint32_t i = 0; i < one->count; i++)
		if (is_alike(&one->tests[i], wanted))
			return &one->tests[i];
	return NULL;
}

/* What holds in both cases. */
static struct test_case common_case(const struct test_case *a, const struct test_case *b)
{
	struct test_case common = {.count = 0};

	for (uint32_t i = 0; i < a->count; i++) {
		const struct test *other = find_alike(b, &a->tests[i]);
		if (other)
			common.tests[common.count++] = other->least < a->tests[i].least ? *other
			                                                                : a->tests[i];
	}
	return common;
}

static bool has_telling(const struct test_case *one)
{
	for (uint32_t i = 0; i < one->count; i++)
		if (is_telling(&one->tests[i]))
			return true;
	return false;
}

/* Cases that have what is telling in common become one: to tell them apart would take longer. */
static void join_cases(struct interest *interest)
{
	for (uint32_t i = 0; i < interest->count; i++) {
		for (uint32_t j = i + 1; j < interest->count;) {
			struct test_case common = common_case(&interest->cases[i], &interest->cases[j]);
			if (!has_telling(&common)) {
				j++;
				continue;
			}
			interest->cases[i] = common;
			interest->cases[j] = interest->cases[--interest->count];
			j = i + 1;
		}
	}
}

/* What is telling first, then flags. */
static void sort_tests(struct test_case *one)
{
	struct test_case sorted = {.count = 0};

	for (uint32_t rank = 0; rank < 4; rank++) {
		for (uint32_t i = 0; i < one->count; i++) {
			const struct test *test = &one->tests[i];
			if ((is_telling(test)           ? 0u
			     : test->kind == TEST_FLAG  ? 1u
			     : test->kind == TEST_LATER ? 2u
			                                : 3u) == rank)
				sorted.tests[sorted.count++] = *test;
		}
	}
	*one = sorted;
}

static void ask_call(struct interest *interest, struct fact_plan *facts, struct place at, uint32_t number)
{
	uint32_t i = 0;

	while (i < interest->call_count && !is_at(interest->calls[i].at, at))
		i++;
	if (i == CALLS_MOST) {
		interest->is_any = true;
		return;
	}
	if (i == interest->call_count)
		interest->calls[interest->call_count++] = (struct asked_call){
			.at = at, .slot = fact_slot(facts, FACT_DERIVED, 0)};
	interest->calls[i].cases |= UINT64_C(1) << number;
}

/* Facts are asked for once for each distinct call: behind the others they are not looked at. */
static void part_tests(struct interest *interest, struct fact_plan *facts, uint32_t number)
{
	struct test_case *one = &interest->cases[number];

	sort_tests(one);
	while (one->count && one->tests[one->count - 1].kind == TEST_FACTS) {
		one->count--;
		one->fact_count++;
		ask_call(interest, facts, one->tests[one->count].at, number);
	}
}

static bool asks_facts(const struct test_case *one)
{
	for (uint32_t i = 0; i < one->count; i++)
		if (one->tests[i].kind == TEST_FACTS)
			return true;
	return false;
}

/* From a test on. */
static bool is_of_group(const struct test_case *one, uint32_t from)
{
	for (uint32_t i = from; i < one->count + one->fact_count; i++) {
		const struct test *test = &one->tests[i];
		if (test->at.told != PART_GROUP ||
		    (test->kind == TEST_LATER && test->since.told != PART_GROUP))
			return false;
	}
	return true;
}

/* Completions have what most rules ask for. */
static uint32_t place_of_greatest(enum relation relation, uint32_t at)
{
	if (relation == RELATION_TRANSFER && at == offsetof(struct transfer, send.start))
		return offsetof(struct completion, last_sent);
	if (relation == RELATION_TRANSFER && at == offsetof(struct transfer, post.start))
		return offsetof(struct completion, last_posted);
	return 0;
}

/* Those that are told at a glance come first. */
static void part_cases(struct interest *interest, enum relation relation)
{
	for (uint32_t i = 0; i < interest->count; i++) {
		struct test_case one = interest->cases[i];
		uint32_t to = interest->telling_count;
		if (!has_telling(&one) || asks_facts(&one))
			continue;
		sort_tests(&one);
		interest->cases[i] = interest->cases[to];
		interest->cases[to] = one;
		interest->tellings[to] = (struct telling){
			.at = one.tests[0].at.offset,
			.since = one.tests[0].since.offset,
			.least = one.tests[0].least,
			.is_enough = is_of_group(&one, 1),
			.greatest = place_of_greatest(relation, one.tests[0].at.offset)};
		interest->telling_count++;
	}
}

/* Of a transfer and its completion a glance shows the message, and the call. */
static bool is_shown(struct place at)
{
	static const size_t shown[ROW_PARTS] = {
		[PART_ROW] = sizeof(struct sides), [PART_GROUP] = sizeof(struct occurrence)};

	return at.offset + sizeof(int64_t) <= shown[at.told];
}

static bool is_order_shown(const struct test *test)
{
	return test->kind == TEST_LATER && is_shown(test->at) && is_shown(test->since);
}

/* False: it never holds. */
static bool add_order(struct glance_case *glance, const struct test *test, bool is_send)
{
	struct order order = {.at = glance_place(test->at, is_send),
	                      .since = glance_place(test->since, is_send),
	                      .least = test->least};

	if (order.at == order.since)
		return order.least <= 0;
	glance->orders[glance->count++] = order;
	return true;
}

/* What is not shown makes the case wider. */
static void add_glance(struct glances *glances, const struct test_case *one, bool is_send)
{
	struct glance_case glance = {.count = 0};

	for (uint32_t i = 0; i < one->count; i++)
		if (is_order_shown(&one->tests[i]) && !add_order(&glance, &one->tests[i], is_send))
			return;
	glances->cases[glances->count++] = glance;
}

static void find_glances(struct interest *interest, enum relation relation)
{
	_Static_assert(offsetof(struct transfer, send) == 0 && offsetof(struct completion, wait) == 0,
	               "what a glance shows comes first");

	interest->has_glances = relation == RELATION_TRANSFER;
	for (uint32_t i = interest->telling_count; i < interest->count; i++)
		interest->has_glances &= interest->cases[i].fact_count > 0;
	for (uint32_t i = 0; i < interest->call_count; i++)
		interest->has_glances &= is_shown(interest->calls[i].at);
	for (uint32_t i = 0; i < interest->telling_count; i++) {
		add_glance(&interest->glances[false], &interest->cases[i], false);
		add_glance(&interest->glances[true], &interest->cases[i], true);
	}
}

struct interest *interest_find(struct share *const *shares, uint32_t count, enum relation relation)
{
	struct engine *engine = shares[0]->engine;
	struct interest *interest = arena_new(&engine->arena, struct interest);
	struct draft draft = {.interest = interest, .intake = &engine->intakes[relation]};

	interest->row_size = relation_infos[relation].sizes[PART_ROW];
	for (uint32_t i = 0; i < count; i++)
		if (shares[i]->relations[relation])
			add_wants(&draft, shares[i]->relations[relation]);
	join_cases(interest);
	part_cases(interest, relation);
	for (uint32_t i = 0; i < interest->count; i++) {
		interest->is_any |= !interest->cases[i].count;
		part_tests(interest, &engine->facts, i);
		if (i < interest->telling_count)
			continue;
		interest->others |= UINT64_C(1) << i;
		interest->of_groups |= (uint64_t)is_of_group(&interest->cases[i], 0) << i;
	}
	interest_find_possible(interest);
	find_glances(interest, relation);
	return interest->is_any ? NULL : interest;
}
