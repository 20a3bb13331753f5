#include "output/timeline/timeline_parts.h"
#include "trace/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Limit for fields without special treatment. */
enum { OTHER_FIELDS_MAX = 200 };

void sites_init(struct site_list *sites, const struct timeline *timeline)
{
	*sites = (struct site_list){.timeline = timeline};
	sites->of_calls = memory_new(timeline->options.session->reader->process_count + 1,
	                             sizeof *sites->of_calls);
}

void sites_release(struct site_list *sites)
{
	for (size_t i = 0; i < sites->timeline->options.session->reader->process_count; i++)
		array_release(&sites->of_calls[i]);
	free(sites->of_calls);
	array_release(&sites->items);
	array_release(&sites->comms);
	map_release(&sites->comm_numbers);
	text_map_release(&sites->numbers);
	text_map_release(&sites->frames);
	arena_release(&sites->arena);
}

/* Ranks */

/* In MPI_COMM_WORLD, like rows; the rank in the communicator if that is unknown. */
static int64_t world_rank(const struct site_list *sites, uint32_t process, const struct call *call,
                          int64_t rank)
{
	const struct comm_table *comms = sites->timeline->comms;
	const struct membership *own;
	int64_t identity;
	uint32_t partner;

	if (!comms || rank < 0 || rank >= UINT32_MAX || !call_field(call, FIELD_COMM, &identity))
		return rank;
	own = find_membership(comms, process, (uint64_t)identity);
	if (!own)
		return rank;
	partner = comm_process(comms, own->comm, is_inter(&comms->comms[own->comm]) ? !own->side : own->side,
	                       (uint32_t)rank);
	return partner == NO_PROCESS || sites->timeline->options.session->reader->processes[partner].rank ==
	                                        PROCESS_UNKNOWN
	               ? rank
	               : sites->timeline->options.session->reader->processes[partner].rank;
}

static void json_rank(struct json *json, const struct site_list *sites, uint32_t process,
                      const struct call *call, const char *key, int64_t rank)
{
	if (rank < 0 && rank >= RANK_ROOT)
		json_text(json, key, special_rank_names[-1 - rank]);
	else
		json_number(json, key, world_rank(sites, process, call, rank));
}

/* MPI_Waitall has a field for each request. */
static size_t count_fields(const struct call *call, enum field_key key)
{
	size_t count = 0;

	for (uint32_t i = 0; i < field_count(call); i++)
		count += field_key_at(call, i) == key;
	return count;
}

/* Source and destination: a receive from any rank has the actual source. MPI_Wait and similar calls have no
 * communicator, but messages. */
static bool knows_source(const struct call *call)
{
	return count_fields(call, FIELD_COMM) && count_fields(call, FIELD_SOURCE) == 1;
}

static void json_sum(struct json *json, const char *key, const struct call *call, enum field_key field)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < field_count(call); i++)
		if (field_key_at(call, i) == field &&
		    __builtin_add_overflow(sum, field_at(call, i).value, &sum))
			sum = INT64_MAX;
	if (count_fields(call, field))
		json_number(json, key, sum);
}

/* Communicators */

int64_t number_comm(struct site_list *sites, uint32_t process, uint64_t identity)
{
	const struct comm *comm = find_comm(&sites->timeline->options.session->reader->processes[process],
	                                    identity);
	uint32_t *number;

	if (!comm)
		return -1;
	number = map_put(&sites->comm_numbers, map_key(comm->identity, 0));
	if (*number == MAP_NONE) {
		*number = (uint32_t)sites->comms.count;
		array_add(&sites->comms, comm);
	}
	return *number;
}

/* Fields that a user of MPI knows; the page has words for them. */
static bool is_for_people(enum field_key key)
{
	static const enum field_key shown[] = {FIELD_OFFSET,  FIELD_REGION, FIELD_LEVEL, FIELD_COLOR,
	                                       FIELD_KEY,     FIELD_PORT,   FIELD_PARAM, FIELD_VALUE,
	                                       FIELD_PROGRAM, FIELD_TEXT,   FIELD_REAL,  FIELD_PARTITION};

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (shown[i] == key)
			return true;
	return false;
}

/* "others": pairs of a name and a value. */
static void add_others(struct json *json, const struct process *of, const struct call *call)
{
	size_t length = 0;

	for (uint32_t i = 0; i < field_count(call) && length < OTHER_FIELDS_MAX; i++) {
		scoped_text text = {0};
		const char *value;

		if (!is_for_people(field_key_at(call, i)))
			continue;
		text_add_field(&text, of, field_at(call, i));
		value = strchr(text_get(&text), '=');
		if (!length)
			json_open(json, "others", '[');
		json_text(json, NULL, field_name(field_key_at(call, i)));
		json_text(json, NULL, value ? value + 1 : "");
		length += text.length;
	}
	if (length)
		json_close(json, ']');
}

/* "path": numbers of frames, the outermost first. */
enum { FRAMES_MAX = 32 };

static void add_path(struct json *json, struct site_list *sites, const struct process *of,
                     const struct call *call)
{
	struct caller_iter callers = {0};
	int64_t frames[FRAMES_MAX];
	size_t count = 0;

	while (count < FRAMES_MAX &&
	       symbols_next_caller(sites->timeline->options.source, of, call, &callers)) {
		scoped_text name = {0};

		location_describe(&callers.where, &name);
		frames[FRAMES_MAX - ++count] = text_map_number(&sites->frames,
		                                               arena_text(&sites->arena, text_get(&name)));
	}
	if (!count)
		return;
	json_open(json, "path", '[');
	json_numbers(json, &frames[FRAMES_MAX - count], count);
	json_close(json, ']');
}

/* Sites */

static void describe_site(struct site_list *sites, uint32_t process, const struct call *call,
                          struct text *out)
{
	const struct process *of = &sites->timeline->options.session->reader->processes[process];
	struct location where = symbols_find_call(sites->timeline->options.source, of, call);
	scoped_text place = {0};
	struct json json = {.out = out};
	int64_t tag, rank, identity, number;
	bool sends, has_source;

	location_describe(&where, &place);
	json_open(&json, NULL, '{');
	json_text(&json, "call", call->outline->name);
	json_text(&json, "kind", bin_kind_names[bin_kind_of(call)]);
	json_text(&json, "place", text_get(&place));
	sends = count_fields(call, FIELD_SENT) > 0;
	has_source = knows_source(call);
	if (call_field(call, FIELD_PEER, &rank) && (sends || !has_source))
		json_rank(&json, sites, process, call, sends ? "to" : "from", rank);
	if (call_field(call, has_source ? FIELD_SOURCE : FIELD_RECV_PEER, &rank))
		json_rank(&json, sites, process, call, "from", rank);
	if (call_field(call, FIELD_TARGET, &rank))
		json_rank(&json, sites, process, call, "target", rank);
	if (call_field(call, FIELD_ROOT, &rank))
		json_rank(&json, sites, process, call, "root", rank);
	json_sum(&json, "sent", call, FIELD_SENT);
	json_sum(&json, "received", call, FIELD_RECEIVED);
	if ((call_field(call, FIELD_TAG, &tag) && tag != TAG_ANY) ||
	    (knows_source(call) && call_field(call, FIELD_SOURCE_TAG, &tag)))
		json_number(&json, "tag", tag);
	if (call_field(call, FIELD_COMM, &identity)) {
		number = number_comm(sites, process, (uint64_t)identity);
		if (number >= 0)
			json_number(&json, "comm", number);
	}
	if (count_fields(call, FIELD_DONE))
		json_number(&json, "done", (int64_t)count_fields(call, FIELD_DONE));
	add_others(&json, of, call);
	add_path(&json, sites, of, call);
	json_close(&json, '}');
}

uint32_t number_site(struct site_list *sites, uint32_t process, uint32_t id)
{
	uint32_t *number = &array_extend(&sites->of_calls[process], (size_t)id + 1)->items[id];
	scoped_text text = {0};
	size_t known = sites->items.count;

	if (*number)
		return *number - 1;
	describe_site(sites, process,
	              sites->timeline->options.session->reader->processes[process].calls.items[id], &text);
	*number = (uint32_t)text_map_number(&sites->numbers, arena_text(&sites->arena, text_get(&text))) + 1;
	if (*number > known)
		array_add(&sites->items, arena_text(&sites->arena, text_get(&text)));
	return *number - 1;
}

void add_sites(struct json *json, const struct site_list *sites)
{
	const bool is_compact = json->is_compact;

	json_open(json, "comms", '[');
	json->is_compact = false;
	for (size_t i = 0; i < sites->comms.count; i++) {
		const struct comm *comm = sites->comms.items[i];
		char identity[32];

		snprintf(identity, sizeof identity, "%" PRIx64, comm->identity);
		json_open(json, NULL, '{');
		json_text(json, "id", identity);
		json_text(json, "name", comm->name);
		json_number(json, "size", (int64_t)(comm->size + comm->remote_size));
		json_close(json, '}');
	}
	json_close(json, ']');
	json->is_compact = is_compact;
	json_open(json, "sites", '[');
	for (size_t i = 0; i < sites->items.count; i++)
		json_value(json, NULL, sites->items.items[i]);
	json_close(json, ']');
	json_open(json, "frames", '[');
	for (size_t i = 0; i < sites->frames.count; i++)
		json_text(json, NULL, sites->frames.items[i].text);
	json_close(json, ']');
}
