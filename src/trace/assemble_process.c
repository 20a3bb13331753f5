#include "trace/assembler.h"

enum status take_property(struct assembler *a)
{
	TRY(lexer_string(&a->lexer, &a->string));
	add_varint(&a->body, a->string.length);
	add_text(&a->body, &a->string);
	text_clear(&a->string);
	if (!lexer_at_end(&a->lexer))
		TRY(lexer_string(&a->lexer, &a->string));
	add_text(&a->body, &a->string);
	TRY(take_end(&a->lexer));
	return add_own(a, RECORD_PROPERTY);
}

static enum status take_clock_points(struct lexer *lexer, struct text *points, uint64_t *count)
{
	uint64_t tick, ns;
	const struct key tick_key[] = {{"tick", KEY_NUMBER, &tick, NULL, NULL}, {0}};
	const struct key ns_key[] = {{"ns", KEY_NUMBER, &ns, NULL, NULL}, {0}};

	for (*count = 0; !lexer_at_end(lexer); ++*count) {
		TRY(take_key(lexer, tick_key));
		TRY(take_key(lexer, ns_key));
		add_varint(points, tick);
		add_varint(points, ns);
	}
	return OK;
}

enum status take_clock(struct assembler *a)
{
	struct text points = {0};
	uint64_t rate, count = 0;
	enum status status;

	TRY(lexer_string(&a->lexer, &a->string));
	TRY(lexer_number(&a->lexer, &rate));
	status = take_clock_points(&a->lexer, &points, &count);
	add_varint(&a->body, rate);
	add_varint(&a->body, count);
	add_text(&a->body, &points);
	add_text(&a->body, &a->string);
	text_release(&points);
	TRY(status);
	return add_own(a, RECORD_CLOCK);
}

enum status take_module(struct assembler *a)
{
	uint64_t number, base = 0, size = 0;
	struct text build_id = {0};
	const struct key keys[] = {
		{"base", KEY_NUMBER, &base, NULL, NULL},
		{"size", KEY_NUMBER, &size, NULL, NULL},
		{"build-id", KEY_BYTES, &build_id, NULL, NULL},
		{0},
	};
	enum status status;

	TRY(lexer_number(&a->lexer, &number));
	status = take_keys(&a->lexer, keys, &a->string);
	add_varint(&a->body, number);
	add_varint(&a->body, base);
	add_varint(&a->body, size);
	add_varint(&a->body, build_id.length);
	add_text(&a->body, &build_id);
	add_text(&a->body, &a->string);
	text_release(&build_id);
	TRY(status);
	return add_own(a, RECORD_MODULE);
}

enum status take_source(struct assembler *a)
{
	struct text function = {0};
	uint64_t number;
	enum status status = OK;

	TRY(lexer_number(&a->lexer, &number));
	TRY(lexer_string(&a->lexer, &a->string));
	if (!lexer_at_end(&a->lexer))
		status = lexer_string(&a->lexer, &function);
	add_varint(&a->body, number);
	add_varint(&a->body, function.length);
	add_text(&a->body, &function);
	add_text(&a->body, &a->string);
	text_release(&function);
	TRY(status);
	TRY(take_end(&a->lexer));
	return add_own(a, RECORD_SOURCE);
}

enum status take_stamp(struct assembler *a)
{
	uint64_t number, bytes = 0, changed_ns = 0;
	const struct key keys[] = {
		{"size", KEY_NUMBER, &bytes, NULL, NULL},
		{"ns", KEY_NUMBER, &changed_ns, NULL, NULL},
		{0},
	};

	TRY(lexer_number(&a->lexer, &number));
	TRY(take_keys(&a->lexer, keys, NULL));
	add_varint(&a->body, number);
	add_varint(&a->body, bytes);
	add_varint(&a->body, changed_ns);
	return add_own(a, RECORD_STAMP);
}

struct comm_line {
	uint64_t identity, parent, kind, rank, size, remote;
	bool has_size, has_remote;
	struct runs members, others;
};

/* Where members are given, they say how many there are. */
static enum status check_group(const struct lexer *lexer, const struct runs *runs, bool has_size,
                               uint64_t *size)
{
	if (!runs->count)
		return OK;
	if (has_size && *size != runs->members)
		return lexer_fail(lexer, lexer->line, "a group of %llu has %llu members",
		                  (unsigned long long)*size, (unsigned long long)runs->members);
	*size = runs->members;
	return OK;
}

static enum status take_comm_keys(struct assembler *a, struct comm_line *comm)
{
	const struct key keys[] = {
		{"parent", KEY_NUMBER, &comm->parent, NULL, NULL},
		{"kind", KEY_CHOICE, &comm->kind, comm_kind_names, NULL},
		{"rank", KEY_NUMBER, &comm->rank, NULL, NULL},
		{"size", KEY_NUMBER, &comm->size, NULL, &comm->has_size},
		{"remote", KEY_NUMBER, &comm->remote, NULL, &comm->has_remote},
		{"members", KEY_RUNS, &comm->members, NULL, NULL},
		{"others", KEY_RUNS, &comm->others, NULL, NULL},
		{0},
	};

	TRY(lexer_number(&a->lexer, &comm->identity));
	TRY(take_keys(&a->lexer, keys, &a->string));
	if (comm->others.count && comm->kind != COMM_INTER)
		return lexer_fail(&a->lexer, a->lexer.line, "only a communicator of kind 'inter' has others");
	TRY(check_group(&a->lexer, &comm->members, comm->has_size, &comm->size));
	return check_group(&a->lexer, &comm->others, comm->has_remote, &comm->remote);
}

static void add_group(struct text *body, struct runs *runs)
{
	add_varint(body, runs->count);
	add_text(body, &runs->bytes);
	text_release(&runs->bytes);
}

enum status take_comm(struct assembler *a)
{
	struct comm_line comm = {.rank = a->rank, .size = a->size};
	enum status status = take_comm_keys(a, &comm);

	add_u64(&a->body, comm.identity);
	add_u64(&a->body, comm.parent);
	add_varint(&a->body, comm.kind);
	add_varint(&a->body, comm.rank);
	add_varint(&a->body, comm.size);
	add_varint(&a->body, comm.remote);
	add_group(&a->body, &comm.members);
	if (comm.kind == COMM_INTER)
		add_group(&a->body, &comm.others);
	else
		text_release(&comm.others.bytes);
	add_text(&a->body, &a->string);
	TRY(status);
	return add_own(a, RECORD_COMM);
}

enum status take_object(struct assembler *a)
{
	uint64_t kind, identity, comm = 0, size = 0, unit = 0;
	const struct key keys[] = {
		{"comm", KEY_NUMBER, &comm, NULL, NULL},
		{"size", KEY_NUMBER, &size, NULL, NULL},
		{"unit", KEY_NUMBER, &unit, NULL, NULL},
		{0},
	};

	TRY(lexer_choice(&a->lexer, object_kind_names, &kind));
	TRY(lexer_number(&a->lexer, &identity));
	TRY(take_keys(&a->lexer, keys, &a->string));
	add_varint(&a->body, kind);
	add_u64(&a->body, identity);
	add_u64(&a->body, comm);
	add_varint(&a->body, size);
	add_varint(&a->body, unit);
	add_text(&a->body, &a->string);
	return add_own(a, RECORD_OBJECT);
}

enum status take_eager(struct assembler *a)
{
	uint64_t bytes;

	TRY(lexer_number(&a->lexer, &bytes));
	if (!lexer_at_end(&a->lexer))
		TRY(lexer_string(&a->lexer, &a->string));
	TRY(take_end(&a->lexer));
	add_varint(&a->body, bytes);
	add_text(&a->body, &a->string);
	return add_own(a, RECORD_EAGER);
}

enum status take_compare(struct assembler *a)
{
	uint64_t tick = 0, other = 0, rate = 0, uncertainty = 0;
	const struct key keys[] = {
		{"tick", KEY_NUMBER, &tick, NULL, NULL},
		{"other", KEY_NUMBER, &other, NULL, NULL},
		{"rate", KEY_NUMBER, &rate, NULL, NULL},
		{"uncertainty", KEY_NUMBER, &uncertainty, NULL, NULL},
		{0},
	};

	TRY(take_keys(&a->lexer, keys, &a->string));
	add_varint(&a->body, tick);
	add_varint(&a->body, other);
	add_varint(&a->body, rate);
	add_varint(&a->body, uncertainty);
	add_text(&a->body, &a->string);
	return add_own(a, RECORD_COMPARE);
}
