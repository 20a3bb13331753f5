/* The texts of a picture of waits, in both languages. */
#include "calls/calls.h"
#include "language/language.h"
#include "output/findings/wait_picture.h"
#include "output/findings/words.h"

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
	text_add(out, ", %s", frame->is_near ? translate(findings->lang, "near ") : "");
	stack_frame_describe(frame, out);
}

/* The place of a process outside MPI comes from its stack; its function is the last call. A late process
 * may be in it, or not. */
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
	         translate(findings->lang, is_outside ? "outside MPI; last call: " : "last call: "),
	         all_calls[node->call->function].name);
}

/* "count=10, tag=7", so that lines break between arguments. */
static void add_compact(struct text *words, const char *arguments)
{
	for (const char *equals; (equals = strstr(arguments, " = "));) {
		size_t length;

		text_add(words, "%.*s=", (int)(equals - arguments), arguments);
		arguments = equals + strlen(" = ");
		/* "MPI_Comm_split(...)" for a communicator or datatype without a name. */
		length = strcspn(arguments, ",");
		if (text_begins(arguments, MADE_BY) && length > strlen(MADE_BY))
			text_add(words, "%.*s(...)", (int)(length - strlen(MADE_BY)),
			         arguments + strlen(MADE_BY));
		else
			text_add_bytes(words, arguments, length);
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

	text_add(out, "%s", translate(findings->lang, "the request is from "));
	add_place(findings, began->call, began->shown, out);
	if (*began->call->arguments && !node->arguments_vary && !is_short) {
		text_add(out, ": ");
		call_arguments_describe(began->call, out);
	}
}

/* The call that the others must make; NULL: several. */
static const char *collective_of(const struct picture_node *node)
{
	uint32_t function = node->began_count ? node->began[0].call->function : node->call->function;

	for (size_t i = 1; i < node->began_count; i++)
		if (node->began[i].call->function != function)
			return NULL;
	return all_calls[function].name;
}

/* The partners of a wait in its sentence: one rank, each of several, any of several, any but itself. "$1" is the list of ranks. */
enum wait_number { NUMBER_ONE, NUMBER_EACH, NUMBER_ANY, NUMBER_ANY_OTHER, WAIT_NUMBERS_END };

struct wait_sentence {
	const char *why, *words;
	const char *partners[WAIT_NUMBERS_END];
};

#define OF_RANKS \
	{ \
		"of|rank $1", "each of ranks $1", "any of ranks $1", "any other of ranks $1" \
	}
#define RANKS_DO(verb, verbs) \
	{ \
		"rank $1 " verb, "ranks $1 " verbs, "any of ranks $1 " verb, "any other of ranks $1 " verb \
	}

static const struct wait_sentence *sentence_for(const char *why)
{
	static const struct wait_sentence sentences[] = {
		{WAIT_MESSAGE, "waits for a message from $1", OF_RANKS},
		{WAIT_RECEIVE, "waits until $1 the message", RANKS_DO("receives", "receive")},
		{WAIT_COLLECTIVE, "waits until $1 $2", RANKS_DO("calls", "call")},
		{WAIT_MATCH, "waits for a matching call of $1", OF_RANKS},
		{WAIT_EXPOSURE, "waits until $1 MPI_Win_post", RANKS_DO("calls", "call")},
		{WAIT_ACCESS, "waits until $1 MPI_Win_complete", RANKS_DO("calls", "call")},
		{WAIT_LOCK, "waits until $1 the window", RANKS_DO("unlocks", "unlock")},
	};
	static const struct wait_sentence other = {"", "waits for $1", OF_RANKS};

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
	const char *words = sentence->words;
	enum wait_number number = NUMBER_ONE;
	scoped_text ranks = {0};
	struct arena arena = {0};

	if (wait->is_of_others)
		number = NUMBER_ANY_OTHER;
	else if (wait->ranks.count > 1)
		number = wait->is_one_of ? NUMBER_ANY : NUMBER_EACH;
	if (strcmp(wait->why, WAIT_LOCK) == 0 && all_calls[node->call->function].pgas) /* OpenSHMEM */
		words = "waits until $1 the lock";
	if (strcmp(wait->why, WAIT_COLLECTIVE) == 0 && !function)
		words = "waits until $1 the same collective functions";
	rank_list_numbers(findings, &wait->ranks, RANK_RUNS_SHOWN, &ranks);
	partner = filled_in(&arena, findings->lang, sentence->partners[number],
	                    (const char *[]){text_get(&ranks)});
	text_add(out, "%s%s", node->ranks.count > 1 ? translate(findings->lang, "each ") : "",
	         filled_in(&arena, findings->lang, words, (const char *[]){partner, function}));
	arena_release(&arena);
}

const char *picture_waits_heading(const struct findings *findings, const struct picture_node *node)
{
	if (node->wait_count < 2)
		return NULL;
	return translate(findings->lang, node->waits[0].is_one_of ? "any one of these would let it continue:"
	                                                          : "needs all of these to continue:");
}

const char *picture_node_state(const struct findings *findings, const struct picture_node *node)
{
	if (picture_node_is_end(node))
		return translate(findings->lang, node->ranks.count > 1
		                                         ? "have finished and make no more MPI calls"
		                                         : "has finished and makes no more MPI calls");
	if (strcmp(node->call->note, NOTE_LATE) == 0)
		return translate(findings->lang, "others wait for it");
	return NULL;
}
