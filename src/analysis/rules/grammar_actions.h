/* Semantic actions of the grammar. */
#ifndef TARRY_ANALYSIS_RULES_GRAMMAR_ACTIONS_H
#define TARRY_ANALYSIS_RULES_GRAMMAR_ACTIONS_H

#include "analysis/rules/parse.h"

enum { EXPECTED_SHOWN = 64 };

void add_declaration(struct rule_parser *parse, struct declaration *declaration, struct source_range place);
struct declaration *declare(struct rule_parser *parse, enum declaration_kind kind, enum declaration_verb verb,
                            struct token name);
struct variant_syntax *variant(struct rule_parser *parse, struct syntax *values, struct source_range place);
/* Reads the block once for each row, with its values substituted for $NAME. */
void add_variants(struct rule_parser *parse, const struct syntax *names, const struct variant_syntax *rows,
                  struct source_range block);
struct member_syntax *member(struct rule_parser *parse, struct token type, struct token name);
/* `last` requires `before`, `first` requires `after`: other combinations are reported. */
void ordered_member(struct rule_parser *parse, struct member_syntax *member, struct token word,
                    enum member_order order);
struct binding *binding(struct rule_parser *parse, struct token name, struct syntax *value);

struct syntax *number(struct rule_parser *parse, struct source_range place, struct token unit);
struct syntax *field(struct rule_parser *parse, struct syntax *of, struct token name);
/* `of`[`number`] */
struct syntax *element(struct rule_parser *parse, struct syntax *of, struct token number,
                       struct source_range place);
struct syntax *call(struct rule_parser *parse, struct token name, struct syntax *args, struct syntax *where,
                    struct source_range place);
struct syntax *cast(struct rule_parser *parse, struct syntax *value, struct token unit);
struct syntax *among(struct rule_parser *parse, struct syntax *value, struct syntax *list,
                     struct source_range mark, struct source_range place);
struct syntax *choice(struct rule_parser *parse, struct syntax *condition, struct syntax *yes,
                      struct syntax *no, struct source_range mark, struct source_range place);
/* A translation of a text; two letters are the language. */
void add_translation(struct rule_parser *parse, struct token *text, struct token lang, struct token other);
struct source_range inside_quotes(struct source_range string);

void add_test_item(struct test_syntax *test, struct test_item item);
struct test_item test_event(struct rule_parser *parse, struct token rank, struct token function,
                            struct test_event *event);
struct test_event *test_place(struct rule_parser *parse, struct token file, struct token line);
struct test_item expectation(struct rule_parser *parse, struct token id);
int64_t times(struct rule_parser *parse, struct token count, struct token unit);
struct repeat_syntax repeat(struct rule_parser *parse, int64_t count, struct token word,
                            struct syntax *every);

/* `expected` are names of tokens, keywords in quotes. */
void error_unexpected(struct rule_parser *parse, struct source_range place, bool is_end,
                      const char *const *expected, int count);

#endif
