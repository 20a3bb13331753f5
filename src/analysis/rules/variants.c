/* Variants of declarations: a block is copied once for each row of values, substituted for $NAME or ${NAME},
 * and parsed like a file. A copy keeps the line numbers of the file, so that messages refer to it. */
#include "analysis/rules/grammar_actions.h"

#include <ctype.h>
#include <string.h>

struct filling {
	struct rule_parser *parse;
	const struct syntax *names, *values;
	struct text *out;
};

struct variant_syntax *variant(struct rule_parser *parse, struct syntax *values, struct source_range place)
{
	struct variant_syntax *variant = arena_new(parse->arena, struct variant_syntax);

	*variant = (struct variant_syntax){.place = place, .values = values};
	return variant;
}

/* Escapes stay, because most values are inside strings again. Line breaks would shift the following text. */
static void add_value(struct text *out, struct source_range string)
{
	struct source_range inside = inside_quotes(string);
	const char *text = string.source->text;

	for (uint32_t at = inside.begin; at < inside.end;) {
		size_t blanks = count_blanks(text + at);
		bool is_broken = memchr(text + at, '\n', blanks);
		text_add_bytes(out, is_broken ? " " : text + at, is_broken ? 1 : blanks ? blanks : 1);
		at += blanks ? (uint32_t)blanks : 1;
	}
}

/* Substitutes the reference at the '$' and returns where the text continues. */
static uint32_t add_reference(const struct filling *filling, struct source_range at)
{
	const char *text = at.source->text;
	bool is_braced = text[at.begin + 1] == '{';
	uint32_t begin = at.begin + 1 + is_braced, end = begin;
	const struct syntax *value = filling->values;
	struct token name;
	struct nearest nearest;

	while (text[end] == '_' || isalnum((unsigned char)text[end]))
		end++;
	if (end == begin || isdigit((unsigned char)text[begin]) || end > at.end ||
	    (is_braced && text[end] != '}')) {
		text_add_bytes(filling->out, "$", 1);
		return at.begin + 1;
	}
	name = word_at(filling->parse, (struct source_range){at.source, begin, end});
	nearest = (struct nearest){.word = name.text};
	for (const struct syntax *known = filling->names; known; known = known->next, value = value->next) {
		if (strcmp(known->name.text, name.text) == 0) {
			add_value(filling->out, value->name.place);
			return end + is_braced;
		}
		nearest_offer(&nearest, known->name.text);
	}
	if (nearest_found(&nearest))
		add_error(filling->parse->errors, name.place,
		          "the variants have no value '%s': did you mean '%s'?", name.text,
		          nearest_found(&nearest));
	else
		add_error(filling->parse->errors, name.place, "the variants have no value '%s'", name.text);
	return end + is_braced;
}

static void add_variant(const struct filling *filling, const struct variant_syntax *row,
                        struct source_range inside)
{
	struct rule_parser *parse = filling->parse;
	size_t earlier_errors = parse->errors->error_count;
	struct origin origin = origin_of(inside);
	struct rule_source *filled;

	text_clear(filling->out);
	text_add_repeated(filling->out, '\n', origin.line - 1);
	text_add_repeated(filling->out, ' ', origin.column - 1);
	while (inside.begin < inside.end && filling->out->length < SOURCE_MAX_BYTES) {
		const char *from = inside.source->text + inside.begin;
		const char *mark = memchr(from, '$', inside.end - inside.begin);
		size_t plain = mark ? (size_t)(mark - from) : inside.end - inside.begin;
		text_add_bytes(filling->out, from, plain);
		inside.begin += (uint32_t)plain;
		if (mark)
			inside.begin = add_reference(filling, inside);
	}
	parse->filled_bytes += filling->out->length;
	if (parse->errors->error_count != earlier_errors)
		return;
	if (parse->filled_bytes > SOURCE_MAX_BYTES) {
		add_error(parse->errors, row->place,
		          "the variants of a file are too large: at most %d MiB are read",
		          SOURCE_MAX_BYTES >> 20);
		return;
	}
	filled = source_of_text(parse->arena, inside.source->path, text_get(filling->out),
	                        filling->out->length);
	filled->variant = row->place;
	parse_filled(parse, filled, origin.line - 1);
}

static size_t count_of(const struct syntax *list)
{
	size_t count = 0;

	for (; list; list = list->next)
		count++;
	return count;
}

void add_variants(struct rule_parser *parse, const struct syntax *names, const struct variant_syntax *rows,
                  struct source_range block)
{
	struct source_range inside = inside_quotes(block); /* braces have the same width */
	size_t count = count_of(names), earlier_errors = parse->errors->error_count;
	struct text out = {0};

	if (parse->source->variant.source)
		add_error(parse->errors, block, "variants cannot contain variants");
	for (const struct syntax *name = names; name; name = name->next)
		for (const struct syntax *earlier = names; earlier != name; earlier = earlier->next)
			if (strcmp(name->name.text, earlier->name.text) == 0 &&
			    parse->errors->error_count == earlier_errors)
				add_error(parse->errors, name->place, "two values are called '%s'",
				          name->name.text);
	/* An error in one is usually an error in all. */
	for (; rows && parse->errors->error_count == earlier_errors; rows = rows->next) {
		size_t given = count_of(rows->values);

		if (given == count)
			add_variant(&(struct filling){parse, names, rows->values, &out}, rows, inside);
		else
			add_error(parse->errors, rows->place,
			          "a variant needs %zu value%s here, but this one has %zu", count,
			          count == 1 ? "" : "s", given);
	}
	text_release(&out);
}
