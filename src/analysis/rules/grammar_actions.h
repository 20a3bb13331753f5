/* What the grammar does when it has recognised something. */
#ifndef TARRY_ANALYSIS_RULES_GRAMMAR_ACTIONS_H
#define TARRY_ANALYSIS_RULES_GRAMMAR_ACTIONS_H

#include "analysis/rules/parse.h"

enum { EXPECTED_SHOWN = 64 };

void add_declaration(struct parse *parse, struct declaration *declaration, struct place place);
struct declaration *declare(struct parse *parse, enum declaration_kind kind, enum declaration_verb verb,
                            struct word name);
struct variant_syntax *variant(struct parse *parse, struct syntax *values, struct place place);
/* Reads the block once for each row, with its values filled in for $NAME. */
void add_variants(struct parse *parse, const struct syntax *names, const struct variant_syntax *rows,
                  struct place block);
struct member_syntax *member(struct parse *parse, struct word type, struct word name);
/* `last` goes with `before` and `first` with `after`: others are told. */
void ordered_member(struct parse *parse, struct member_syntax *member, struct word word,
                    enum member_order order);
struct binding *binding(struct parse *parse, struct word name, struct syntax *value);

struct syntax *number(struct parse *parse, struct place place, struct word unit);
struct syntax *field(struct parse *parse, struct syntax *of, struct word name);
struct syntax *call(struct parse *parse, struct word name, struct syntax *args, struct syntax *where,
                    struct place place);
struct syntax *cast(struct parse *parse, struct syntax *value, struct word unit);
struct syntax *among(struct parse *parse, struct syntax *value, struct syntax *list, struct place mark,
                     struct place place);
struct syntax *choice(struct parse *parse, struct syntax *condition, struct syntax *yes, struct syntax *no,
                      struct place mark, struct place place);
/* What a text is in another language; two letters tell which. */
void add_translation(struct parse *parse, struct word *text, struct word lang, struct word other);
struct place inside_quotes(struct place string);

void add_test_item(struct test_syntax *test, struct test_item item);
struct test_item test_event(struct parse *parse, struct word rank, struct word function,
                            struct test_event *event);
struct test_event *test_place(struct parse *parse, struct word file, struct word line);
struct test_item expectation(struct parse *parse, struct word id);
int64_t times(struct parse *parse, struct word count, struct word unit);
struct repeat_syntax repeat(struct parse *parse, int64_t count, struct word word, struct syntax *every);

/* `expected` are names of tokens, keywords in quotes. */
void tell_unexpected(struct parse *parse, struct place place, bool is_end, const char *const *expected,
                     int count);

#endif
