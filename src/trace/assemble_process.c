#include "trace/assembler.h"

#include "trace/grow.h"

/* What the lexer read of a string, to keep. */
static const char *kept_string(struct assembler *a)
{
	return arena_text(a->arena, text_get(&a->string));
}

static enum status take_string(struct assembler *a, const char **string)
{
	text_clear(&a->string);
	TRY(lexer_string(&a->lexer, &a->string));
	*string = kept_string(a);
	return OK;
}

/* A string that may be missing, and then the end of the line. */
static enum status take_last_string(struct assembler *a, const char **string)
{
	*string = "";
	if (!lexer_at_end(&a->lexer))
		TRY(take_string(a, string));
	return take_end(&a->lexer);
}

/* Keys in any order, among them a string. */
static enum status take_keys_and_string(struct assembler *a, const struct key *keys, const char **string)
{
	text_clear(&a->string);
	TRY(take_keys(&a->lexer, keys, a->arena, &a->string));
	*string = kept_string(a);
	return OK;
}

enum status take_property(struct assembler *a)
{
	struct property property;

	TRY(take_string(a, &property.key));
	TRY(take_last_string(a, &property.value));
	return trace_writer_property(a->out, property.key, property.value);
}

enum status take_clock(struct assembler *a)
{
	struct clock clock = {0};
	struct clock_point point;
	const struct key tick_key[] = {{"tick", KEY_NUMBER, &point.tick, NULL, NULL}, {0}};
	const struct key ns_key[] = {{"ns", KEY_NUMBER, &point.ns, NULL, NULL}, {0}};

	TRY(take_string(a, &clock.name));
	TRY(lexer_number(&a->lexer, &clock.ticks_per_second));
	while (!lexer_at_end(&a->lexer)) {
		TRY(take_key(&a->lexer, tick_key, NULL));
		TRY(take_key(&a->lexer, ns_key, NULL));
		clock.points = arena_grown(a->arena, clock.points, clock.point_count, sizeof point);
		clock.points[clock.point_count++] = point;
	}
	return trace_writer_clock(a->out, &clock);
}

enum status take_module(struct assembler *a)
{
	struct module module = {0};
	struct text build_id = {0};
	const struct key keys[] = {
		{"base", KEY_NUMBER, &module.base, NULL, NULL},
		{"size", KEY_NUMBER, &module.size, NULL, NULL},
		{"build-id", KEY_BYTES, &build_id, NULL, NULL},
		{0},
	};
	enum status status;

	TRY(lexer_number(&a->lexer, &module.number));
	status = take_keys_and_string(a, keys, &module.path);
	if (status == OK) {
		module.build_id = (const uint8_t *)text_get(&build_id);
		module.build_id_size = build_id.length;
		status = trace_writer_module(a->out, &module);
	}
	text_release(&build_id);
	return status;
}

enum status take_source(struct assembler *a)
{
	struct module module = {0};

	TRY(lexer_number(&a->lexer, &module.number));
	TRY(take_string(a, &module.path));
	TRY(take_last_string(a, &module.function));
	return trace_writer_module(a->out, &module);
}

enum status take_stamp(struct assembler *a)
{
	struct stamp stamp = {0};
	const struct key keys[] = {
		{"size", KEY_NUMBER, &stamp.bytes, NULL, NULL},
		{"ns", KEY_NUMBER, &stamp.changed_ns, NULL, NULL},
		{0},
	};

	TRY(lexer_number(&a->lexer, &stamp.module));
	TRY(take_keys(&a->lexer, keys, NULL, NULL));
	return trace_writer_stamp(a->out, &stamp);
}

/* Where members are given, they say how many there are. */
static enum status check_group(const struct lexer *lexer, const struct group *group, bool has_size,
                               uint64_t *size)
{
	uint64_t members = 0;

	for (size_t i = 0; i < group->run_count; i++)
		members += group->runs[i].count;
	if (group->run_count && has_size && *size != members)
		return lexer_fail(lexer, lexer->line, "a group of %llu has %llu members",
		                  (unsigned long long)*size, (unsigned long long)members);
	if (group->run_count)
		*size = members;
	return OK;
}

enum status take_comm(struct assembler *a)
{
	struct comm comm = {.rank = a->out->rank, .size = a->world_size};
	bool has_size = false, has_remote = false;
	const struct key keys[] = {
		{"parent", KEY_NUMBER, &comm.parent, NULL, NULL},
		{"kind", KEY_CHOICE, &comm.kind, comm_kind_names, NULL},
		{"rank", KEY_NUMBER, &comm.rank, NULL, NULL},
		{"size", KEY_NUMBER, &comm.size, NULL, &has_size},
		{"remote", KEY_NUMBER, &comm.remote_size, NULL, &has_remote},
		{"members", KEY_GROUP, &comm.local, NULL, NULL},
		{"others", KEY_GROUP, &comm.remote, NULL, NULL},
		{0},
	};

	TRY(lexer_number(&a->lexer, &comm.identity));
	TRY(take_keys_and_string(a, keys, &comm.name));
	if (comm.remote.run_count && comm.kind != COMM_INTER)
		return lexer_fail(&a->lexer, a->lexer.line, "only a communicator of kind 'inter' has others");
	TRY(check_group(&a->lexer, &comm.local, has_size, &comm.size));
	TRY(check_group(&a->lexer, &comm.remote, has_remote, &comm.remote_size));
	return trace_writer_comm(a->out, &comm);
}

enum status take_object(struct assembler *a)
{
	struct object object = {0};
	const struct key keys[] = {
		{"comm", KEY_NUMBER, &object.comm, NULL, NULL},
		{"size", KEY_NUMBER, &object.size, NULL, NULL},
		{"unit", KEY_NUMBER, &object.unit, NULL, NULL},
		{0},
	};

	TRY(lexer_choice(&a->lexer, object_kind_names, &object.kind));
	TRY(lexer_number(&a->lexer, &object.identity));
	TRY(take_keys_and_string(a, keys, &object.name));
	return trace_writer_object(a->out, &object);
}

enum status take_eager(struct assembler *a)
{
	struct eager eager;

	TRY(lexer_number(&a->lexer, &eager.bytes));
	TRY(take_last_string(a, &eager.distance));
	return trace_writer_eager(a->out, &eager);
}

enum status take_compare(struct assembler *a)
{
	struct comparison comparison = {0};
	const struct key keys[] = {
		{"tick", KEY_NUMBER, &comparison.tick, NULL, NULL},
		{"other", KEY_NUMBER, &comparison.other, NULL, NULL},
		{"rate", KEY_NUMBER, &comparison.other_rate, NULL, NULL},
		{"uncertainty", KEY_NUMBER, &comparison.uncertainty_ns, NULL, NULL},
		{0},
	};

	TRY(take_keys_and_string(a, keys, &comparison.clock));
	return trace_writer_comparison(a->out, &comparison);
}
