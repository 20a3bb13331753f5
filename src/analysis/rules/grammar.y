/* The grammar of the rule language. It builds syntax trees (syntax.h) and does not resolve names. After an
 * error it continues after the next `;`, so that several errors can be reported at once. */
%define api.pure full
%define api.prefix {rules_}
%define api.location.type {struct source_range}
%define api.value.type union
%define parse.error custom
%define parse.lac full
%locations
%param {struct rule_parser *parse}

%code requires {
#include "analysis/rules/parse.h"

/* A list under construction. */
struct syntax_list { struct syntax *first, *last; };
struct binding_list { struct binding *first, *last; };
struct member_list { struct member_syntax *first, *last; };
struct variant_list { struct variant_syntax *first, *last; };

#define YYLLOC_DEFAULT(whole, parts, count) \
	((whole) = (count) ? place_between(YYRHSLOC(parts, 1), YYRHSLOC(parts, count)) \
	                   : (struct source_range){YYRHSLOC(parts, 0).source, YYRHSLOC(parts, 0).end, YYRHSLOC(parts, 0).end})
}

%code {
#include "analysis/rules/grammar_actions.h"

int rules_scan(YYSTYPE *value, YYLTYPE *place, scanner_handle scanner);
static int yylex(YYSTYPE *value, YYLTYPE *place, struct rule_parser *parse);
static void yyerror(const YYLTYPE *place, struct rule_parser *parse, const char *message);
}

/* Returned first to parse a single expression. */
%token EXPRESSION_ALONE "expression"

%token NAME "name" ID "id of a problem" NUMBER "number" STRING "string" LANGUAGE "language"
%token PERCENT "'%'" UNEQUAL "'!='" LESS_EQUAL "'<='" GREATER_EQUAL "'>='"

%token DECLARE "'declare'" OVERRIDE "'override'" DISABLE "'disable'" IMPORT "'import'" PARAMETER "'parameter'"
%token COMPOSITE "'composite'" EVENT "'event'" PROBLEM "'problem'" METRIC "'metric'" FOR "'for'" EACH "'each'" OF "'of'"
%token MEMBER "'member'" SHARED "'shared'" AS "'as'" WHERE "'where'" WHEN "'when'" PARAMETERS "'parameters'"
%token FIRST "'first'" LAST "'last'" BEFORE "'before'" AFTER "'after'"
%token GROUP "'group'" RUN "'run'" BY "'by'" WHILE "'while'"
%token AMONG "'in'" /* before a list; elsewhere it is IN */
%token AND "'and'" OR "'or'" NOT "'not'" IN OUT "'out'" IF "'if'" THEN "'then'" ELSE "'else'"
%token TRUE_WORD "'true'" FALSE_WORD "'false'"
%token TEST "'test'" RANK "'rank'" THREAD "'thread'" FROM "'from'" TO "'to'" AT "'at'" ON "'on'"
%token EXPECT "'expect'" NOTHING "'nothing'"
%token VARIANTS "'variants'" BLOCK "block in braces"

%precedence ELSE
%left OR
%left AND
%precedence NOT
%nonassoc '=' UNEQUAL '<' LESS_EQUAL '>' GREATER_EQUAL AMONG
%left '+' '-'
%left '*' '/' '%'
%precedence SIGN
%precedence AS
%precedence '.' '['

%type <struct token> word field_name whole_name id optional_id string text description prototype number file
%type <struct syntax *> expression when optional_where literal
%type <struct syntax_list> expressions arguments functions
%type <struct binding *> binding field
%type <struct binding_list> bindings parameters fields some_fields
%type <struct member_syntax *> member order
%type <struct member_list> members
%type <struct syntax_list> values
%type <struct variant_syntax *> variant
%type <struct variant_list> variant_rows
%type <struct grouping_syntax> grouping
%type <struct declaration *> declaration test
%type <enum declaration_verb> verb
%type <enum declaration_kind> finding
%type <enum binding_kind> optional_kind
%type <bool> shared
%type <struct test_syntax> test_items
%type <struct test_item> test_item
%type <struct test_event *> test_place
%type <int64_t> optional_thread optional_rank optional_count
%type <struct syntax *> optional_duration
%type <struct repeat_syntax> optional_repeat

%%

input:
  file_of_rules
| EXPRESSION_ALONE expression     { parse->expression = $2; }
;

file_of_rules:
  %empty
| file_of_rules declaration ';'   { add_declaration(parse, $2, place_between(@2, @3)); }
| file_of_rules test              { add_declaration(parse, $2, @2); }
| file_of_rules variants
| file_of_rules error ';'         { yyerrok; if (has_enough_errors(parse->errors)) YYABORT; }
;

/* Variants: the block is text, which is read once for each row. */

variants:
  VARIANTS '(' functions ')' AMONG variant_rows BLOCK
    { add_variants(parse, $3.first, $6.first, @7); }
| VARIANTS error BLOCK       { yyerrok; }
;

variant_rows:
  variant                    { $$.first = $$.last = $1; }
| variant_rows ',' variant   { $$.first = $1.first; $$.last = $1.last->next = $3; }
;

variant: '(' values ')'      { $$ = variant(parse, $2.first, @$); };

values:
  string               { $$.first = $$.last = syntax_name(parse, $1); }
| values ',' string    { $$.first = $1.first; $$.last = $1.last->next = syntax_name(parse, $3); }
;

/* Declarations */

declaration:
  IMPORT string
    { $$ = declare(parse, DECLARE_IMPORT, VERB_DECLARE, $2); $$->path = $2; }
| PARAMETER word '=' expression description
    { $$ = declare(parse, DECLARE_SETTING, VERB_DECLARE, $2); $$->value = $4; $$->description = $5; }
| OVERRIDE PARAMETER word '=' expression description
    { $$ = declare(parse, DECLARE_SETTING, VERB_OVERRIDE, $3); $$->value = $5; $$->description = $6; }
| verb EVENT word description FOR prototype parameters
    { $$ = declare(parse, DECLARE_EVENT, $1, $3); $$->description = $4; $$->prototype = $6; $$->parameters = $7.first; }
| verb EVENT word description FOR functions parameters
    { $$ = declare(parse, DECLARE_EVENT, $1, $3); $$->description = $4; $$->functions = $6.first; $$->parameters = $7.first; }
| verb COMPOSITE EVENT word description MEMBER '(' members ')' grouping when parameters
    { $$ = declare(parse, DECLARE_COMPOSITE, $1, $4); $$->description = $5; $$->members = $8.first; $$->grouping = $10;
      $$->when = $11; $$->parameters = $12.first; }
| verb finding optional_id FOR word when parameters
    { $$ = declare(parse, $2, $1, $3); $$->type = $5; $$->when = $6; $$->parameters = $7.first; }
| verb finding optional_id FOR EACH word OF word when parameters
    { $$ = declare(parse, $2, $1, $3); $$->each = $6; $$->type = $8; $$->when = $9; $$->parameters = $10.first; }
| DISABLE finding id        { $$ = declare(parse, $2, VERB_DISABLE, $3); }
| DISABLE EVENT word        { $$ = declare(parse, DECLARE_EVENT, VERB_DISABLE, $3); }
| DISABLE COMPOSITE EVENT word { $$ = declare(parse, DECLARE_COMPOSITE, VERB_DISABLE, $4); }
;

verb:
  DECLARE     { $$ = VERB_DECLARE; }
| OVERRIDE    { $$ = VERB_OVERRIDE; }
;

finding:
  PROBLEM     { $$ = DECLARE_PROBLEM; }
| METRIC      { $$ = DECLARE_METRIC; }
;

id: ID          { $$ = word_at(parse, @1); };
optional_id: id | %empty { $$ = (struct token){NULL, @$}; };

description:
  text
| %empty        { $$ = (struct token){"", @$}; }
;

prototype: string;
functions:
  word                 { $$.first = $$.last = syntax_name(parse, $1); }
| functions ',' word   { $$.first = $1.first; $$.last = $1.last->next = syntax_name(parse, $3); }
;

/* Composite events */

members:
  member               { $$.first = $$.last = $1; }
| members ',' member   { $$.first = $1.first; $$.last = $1.last->next = $3; }
;

member:
  shared word AS word optional_where
    { $$ = member(parse, $2, $4); $$->is_shared = $1; $$->where = $5; }
| shared LAST word AS word order optional_where
    { $$ = $6; ordered_member(parse, $$, word_at(parse, @2), MEMBER_LAST_BEFORE); $$->type = $3; $$->name = $5;
      $$->is_shared = $1; $$->where = $7; }
| shared FIRST word AS word order optional_where
    { $$ = $6; ordered_member(parse, $$, word_at(parse, @2), MEMBER_FIRST_AFTER); $$->type = $3; $$->name = $5;
      $$->is_shared = $1; $$->where = $7; }
;

shared:
  SHARED        { $$ = true; }
| %empty        { $$ = false; }
;

order:
  BEFORE word   { $$ = member(parse, $2, $2); $$->order = MEMBER_LAST_BEFORE; $$->other = $2; }
| AFTER word    { $$ = member(parse, $2, $2); $$->order = MEMBER_FIRST_AFTER; $$->other = $2; }
;

optional_where:
  WHERE expression { $$ = $2; }
| %empty           { $$ = NULL; }
;

grouping:
  GROUP BY expressions { $$ = (struct grouping_syntax){.kind = GROUPING_GROUP, .keys = $3.first}; }
| RUN BY expressions WHILE expression
    { $$ = (struct grouping_syntax){.kind = GROUPING_RUN, .keys = $3.first, .while_condition = $5}; }
| %empty               { $$ = (struct grouping_syntax){0}; }
;

when:
  WHEN expression  { $$ = $2; }
| %empty           { $$ = NULL; }
;

parameters:
  PARAMETERS '(' bindings ')' { $$ = $3; }
| %empty                      { $$ = (struct binding_list){0}; }
;

bindings:
  binding               { $$.first = $$.last = $1; }
| bindings ',' binding  { $$.first = $1.first; $$.last = $1.last->next = $3; }
;

binding:
  word '=' expression optional_kind { $$ = binding(parse, $1, $3); $$->kind = $4; $$->kind_word.place = @4; }
;

optional_kind:
  IN      { $$ = BINDING_IN; }
| OUT     { $$ = BINDING_OUT; }
| %empty  { $$ = BINDING_PLAIN; }
;

/* Expressions */

expression:
  literal
| word                         { $$ = syntax_name(parse, $1); }
| '(' expression ')'           { $$ = $2; $$->place = @$; }
| expression '.' word          { $$ = field(parse, $1, $3); }
| expression '[' number ']'    { $$ = element(parse, $1, $3, @$); }
| word '(' arguments optional_where ')'
    { $$ = call(parse, $1, $3.first, $4, @$); }
| expression AS word           { $$ = cast(parse, $1, $3); }
| '-' expression %prec SIGN    { $$ = syntax_unary(parse, OP_MINUS, @1, $2); }
| NOT expression               { $$ = syntax_unary(parse, OP_NOT, @1, $2); }
| expression '+' expression    { $$ = syntax_binary(parse, OP_ADD, @2, $1, $3); }
| expression '-' expression    { $$ = syntax_binary(parse, OP_SUBTRACT, @2, $1, $3); }
| expression '*' expression    { $$ = syntax_binary(parse, OP_MULTIPLY, @2, $1, $3); }
| expression '/' expression    { $$ = syntax_binary(parse, OP_DIVIDE, @2, $1, $3); }
| expression '%' expression    { $$ = syntax_binary(parse, OP_MODULO, @2, $1, $3); }
| expression '=' expression    { $$ = syntax_binary(parse, OP_EQUAL, @2, $1, $3); }
| expression UNEQUAL expression { $$ = syntax_binary(parse, OP_UNEQUAL, @2, $1, $3); }
| expression '<' expression    { $$ = syntax_binary(parse, OP_LESS, @2, $1, $3); }
| expression LESS_EQUAL expression { $$ = syntax_binary(parse, OP_LESS_EQUAL, @2, $1, $3); }
| expression '>' expression    { $$ = syntax_binary(parse, OP_GREATER, @2, $1, $3); }
| expression GREATER_EQUAL expression { $$ = syntax_binary(parse, OP_GREATER_EQUAL, @2, $1, $3); }
| expression AND expression    { $$ = syntax_binary(parse, OP_AND, @2, $1, $3); }
| expression OR expression     { $$ = syntax_binary(parse, OP_OR, @2, $1, $3); }
| expression AMONG '(' expressions ')' { $$ = among(parse, $1, $4.first, @2, @$); }
| IF expression THEN expression ELSE expression { $$ = choice(parse, $2, $4, $6, @1, @$); }
;

literal:
  NUMBER             { $$ = number(parse, @1, (struct token){0}); }
| NUMBER NAME        { $$ = number(parse, @1, word_at(parse, @2)); $$->place = @$; }
| NUMBER PERCENT     { $$ = number(parse, @1, word_at(parse, @2)); $$->place = @$; }
| text               { $$ = syntax_new(parse, SYNTAX_STRING, @1, @1); $$->name = $1; }
| TRUE_WORD          { $$ = syntax_new(parse, SYNTAX_BOOL, @1, @1); $$->truth = true; }
| FALSE_WORD         { $$ = syntax_new(parse, SYNTAX_BOOL, @1, @1); }
;

arguments:
  expressions
| %empty                       { $$ = (struct syntax_list){0}; }
;

expressions:
  expression                   { $$.first = $$.last = $1; }
| expressions ',' expression   { $$.first = $1.first; $$.last = $1.last->next = $3; }
;

string: STRING  { $$ = (struct token){string_contents(parse->arena, inside_quotes(@1)), @1}; };
text:
  string
| text LANGUAGE string { $$ = $1; add_translation(parse, &$$, word_at(parse, @2), $3); }
;
number: NUMBER  { $$ = word_at(parse, @1); };

/* Context-dependent keywords may be names elsewhere. */
word:
  name_or_free_keyword         { $$ = word_at(parse, @1); }
;

name_or_free_keyword:
  NAME | IMPORT | PARAMETER | OVERRIDE | DISABLE | EACH | OF | FIRST | LAST | BEFORE | AFTER | GROUP | RUN | BY | WHILE
| TEST | RANK | THREAD | FROM | TO | AT | ON | EXPECT | NOTHING | OUT | VARIANTS
;

/* Tests */

test:
  TEST string '{' test_items '}' { $$ = declare(parse, DECLARE_TEST, VERB_DECLARE, $2); $$->test = $4; }
;

test_items:
  %empty                       { $$ = (struct test_syntax){0}; }
| test_items test_item         { $$ = $1; add_test_item(&$$, $2); }
| test_items error ';'         { $$ = $1; yyerrok; }
;

test_item:
  RANK number optional_thread ':' word '(' fields ')' FROM expression TO expression optional_repeat test_place ';'
    { $$ = test_event(parse, $2, $5, $14); $$.event->thread = $3; $$.event->fields = $7.first; $$.event->start = $10;
      $$.event->end = $12; $$.event->repeat = $13; $$.event->place = place_between(@1, @14); }
| EXPECT NOTHING ';'           { $$ = expectation(parse, (struct token){NULL, @2}); }
| EXPECT id optional_rank optional_duration optional_count ';'
    { $$ = expectation(parse, $2); $$.expectation->rank = $3; $$.expectation->duration = $4; $$.expectation->count = $5; }
;

optional_thread:
  THREAD number                { $$ = small_number(parse, $2, "a thread"); }
| %empty                       { $$ = 0; }
;

optional_repeat:
  ',' number NAME NAME expression
    { $$ = repeat(parse, times(parse, $2, word_at(parse, @3)), word_at(parse, @4), $5); }
| %empty                       { $$ = (struct repeat_syntax){1, NULL}; }
;

test_place:
  AT file ':' number           { $$ = test_place(parse, $2, $4); }
| %empty                       { $$ = test_place(parse, (struct token){"", @$}, (struct token){"0", @$}); }
;

file: string;

fields:
  some_fields
| %empty                       { $$ = (struct binding_list){0}; }
;

some_fields:
  field                        { $$.first = $$.last = $1; }
| some_fields ',' field        { $$.first = $1.first; $$.last = $1.last->next = $3; }
;

field: whole_name '=' expression { $$ = binding(parse, $1, $3); };

/* Arguments of MPI's functions: dims[0], status.MPI_TAG. */
whole_name:
  field_name
| field_name '.' word                 { $$ = word_at(parse, @$); }
| field_name '[' number ']'           { $$ = word_at(parse, @$); }
| field_name '[' number ']' '.' word  { $$ = word_at(parse, @$); }
;

field_name:
  word
| MEMBER                       { $$ = word_at(parse, @1); }
;

optional_rank:
  ON RANK number               { $$ = small_number(parse, $3, "a rank"); }
| %empty                       { $$ = -1; }
;

optional_duration:
  OF expression                { $$ = $2; }
| %empty                       { $$ = NULL; }
;

optional_count:
  ',' number NAME              { $$ = times(parse, $2, word_at(parse, @3)); }
| %empty                       { $$ = 0; }
;

%%

static int yylex(YYSTYPE *value, YYLTYPE *place, struct rule_parser *parse)
{
	int token = parse->first;

	*place = (struct source_range){parse->source, parse->at, parse->at};
	parse->first = 0;
	if (!token)
		token = rules_scan(value, place, parse->scanner);
	parse->end_before = parse->end_now;
	if (!token)
		place->begin = place->end = parse->end_before;
	parse->end_now = place->end;
	parse->before = token;
	return token;
}

/* Only for the parser's own limits. */
static void yyerror(const YYLTYPE *place, struct rule_parser *parse, const char *message)
{
	(void)message;
	add_error(parse->errors, *place, "this is nested too deeply to be read");
}

static int yyreport_syntax_error(const yypcontext_t *context, struct rule_parser *parse)
{
	yysymbol_kind_t expected[EXPECTED_SHOWN];
	int count = yypcontext_expected_tokens(context, expected, EXPECTED_SHOWN);
	const char *names[EXPECTED_SHOWN];
	const struct source_range *place = yypcontext_location(context);

	for (int i = 0; i < count; i++)
		names[i] = yysymbol_name(expected[i]);
	error_unexpected(parse, *place, yypcontext_token(context) == YYSYMBOL_YYEOF, names, count > 0 ? count : 0);
	return 0;
}
