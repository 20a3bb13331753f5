/* The texts of a picture of waits, in both languages. */
#include "calls/calls.h"
#include "output/findings/message.h"
#include "output/findings/rank_list.h"
#include "output/findings/wait_picture.h"
#include "output/findings/wording.h"

#include <string.h>

void picture_node_name(const struct findings *findings, const struct picture_node *node, struct text *out)
{
	rank_list_describe(findings, &node->ranks, out);
}

static void add_place(const struct findings *findings, const struct check_call *call,
                      const struct shown_call *shown, struct text *out)
{
	const struct stack_frame *frame = shown && shown->stack.count ? &shown->stack.items[0] : NULL;

	text_add(out, "%s", all_calls[call->function].name);
	if (!frame)
		return;
	text_add(out, ", %s", frame->is_near ? findings_word(WORD_NEAR, findings->language) : "");
	stack_frame_describe(frame, out);
}

/* A process outside MPI is where its stack says; its function is the last call. One that is late may be in it, or not. */
void picture_node_place(const struct findings *findings, const struct picture_node *node, struct text *out)
{
	const struct stack_frames *stack = node->shown ? &node->shown->stack : NULL;
	bool is_outside = strcmp(node->call->note, NOTE_RUNS) == 0;

	if (!is_outside && strcmp(node->call->note, NOTE_LATE) != 0) {
		add_place(findings, node->call, node->shown, out);
		return;
	}
	if (stack && stack->count) {
		stack_frame_describe(&stack->items[0], out);
		text_add(out, ", ");
	}
	text_add(out, "%s%s",
	         findings_word(is_outside ? WORD_LAST_CALL : WORD_LAST_CALL_OF_LATE, findings->language),
	         all_calls[node->call->function].name);
}

/* "MPI_Comm_split(...)" for a communicator or datatype without a name. */
static void add_argument(struct text *words, const char *value, size_t length)
{
	if (text_begins(value, MADE_BY) && length > strlen(MADE_BY))
		text_add(words, "%.*s(...)", (int)(length - strlen(MADE_BY)), value + strlen(MADE_BY));
	else
		text_add_bytes(words, value, length);
}

/* "count=10, tag=7", so that lines break between arguments. */
static void add_compact(struct text *words, const char *arguments)
{
	for (const char *equals; (equals = strstr(arguments, " = "));) {
		text_add(words, "%.*s=", (int)(equals - arguments), arguments);
		arguments = equals + strlen(" = ");
		add_argument(words, arguments, strcspn(arguments, ","));
		arguments += strcspn(arguments, ",");
	}
	text_add(words, "%s", arguments);
}

void call_arguments_describe(const struct check_call *call, struct text *out)
{
	add_compact(out, call->arguments);
}

void picture_node_arguments(const struct findings *findings, const struct picture_node *node,
                            struct text *out)
{
	(void)findings;
	if (!node->arguments_vary)
		call_arguments_describe(node->call, out);
}

void picture_began_describe(const struct findings *findings, const struct picture_node *node, size_t number,
                            bool is_short, struct text *out)
{
	const struct picture_begin *began = &node->began[number];

	text_add(out, "%s", findings_word(WORD_REQUEST_OF, findings->language));
	add_place(findings, began->call, began->shown, out);
	if (*began->call->arguments && !node->arguments_vary && !is_short) {
		text_add(out, ": ");
		call_arguments_describe(began->call, out);
	}
}

/* What the others have to call; NULL: there are several. */
static const char *collective_of(const struct picture_node *node)
{
	uint32_t function = node->began_count ? node->began[0].call->function : node->call->function;

	for (size_t i = 1; i < node->began_count; i++)
		if (node->began[i].call->function != function)
			return NULL;
	return all_calls[function].name;
}

struct wait_sentence {
	const char *why;
	enum findings_word word;
	enum wait_form form;
};

static const struct wait_sentence *sentence_for(const char *why)
{
	static const struct wait_sentence sentences[] = {
		{WAIT_MESSAGE, WORD_WAITS_FOR_MESSAGE, FORM_OF},
		{WAIT_RECEIVE, WORD_WAITS_FOR_RECEIVE, FORM_RECEIVES},
		{WAIT_COLLECTIVE, WORD_WAITS_FOR_COLLECTIVE, FORM_CALLS},
		{WAIT_EXPOSURE, WORD_WAITS_FOR_EXPOSURE, FORM_CALLS},
		{WAIT_ACCESS, WORD_WAITS_FOR_ACCESS, FORM_CALLS},
		{WAIT_LOCK, WORD_WAITS_FOR_LOCK, FORM_UNLOCKS},
	};
	static const struct wait_sentence other = {"", WORD_WAITS_FOR, FORM_OF};

	for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
		if (strcmp(sentences[i].why, why) == 0)
			return &sentences[i];
	return &other;
}

void picture_wait_describe(const struct findings *findings, const struct picture_node *node,
                           const struct picture_wait *wait, struct text *out)
{
	const struct wait_sentence *sentence = sentence_for(wait->why);
	const char *function = collective_of(node), *partner;
	enum findings_word word = sentence->word;
	enum wait_number number = NUMBER_ONE;
	struct text ranks = {0};
	struct arena arena = {0};

	if (wait->ranks.count > 1)
		number = wait->is_one_of ? NUMBER_ANY : NUMBER_EACH;
	if (word == WORD_WAITS_FOR_COLLECTIVE && !function)
		word = WORD_WAITS_FOR_SAME_CALL;
	rank_list_numbers(findings, &wait->ranks, RANK_RUNS_SHOWN, &ranks);
	partner = wait_partner(sentence->form, number, findings->language, text_get(&ranks), &arena);
	text_add(out, "%s%s", node->ranks.count > 1 ? findings_word(WORD_EACH, findings->language) : "",
	         fill_findings_word(word, findings->language, &arena, partner, function));
	text_release(&ranks);
	arena_release(&arena);
}

const char *picture_waits_heading(const struct findings *findings, const struct picture_node *node)
{
	if (node->wait_count < 2)
		return NULL;
	return findings_word(node->waits[0].is_one_of ? WORD_ANY_OF_THESE : WORD_ALL_OF_THESE,
	                     findings->language);
}

const char *picture_node_state(const struct findings *findings, const struct picture_node *node)
{
	if (picture_node_is_end(node))
		return findings_word(WORD_HAS_FINISHED, findings->language);
	if (strcmp(node->call->note, NOTE_LATE) == 0)
		return findings_word(WORD_IS_LATE, findings->language);
	return NULL;
}
