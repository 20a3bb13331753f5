/* Pictures of waits as text. A cycle has an arrow from each process to the next, and one on the left from the
 * last back to the first:
 *
 *	┌─► rank 0: MPI_Recv, app.c:12 (main)
 *	│   ▼  waits for a message from rank 1
 *	│   rank 1: MPI_Recv, app.c:12 (main)
 *	└───┘  waits for a message from rank 0
 *
 * Each of the letters has a counterpart in ASCII (cli/terminal.c). */
#include "base/text.h"
#include "output/findings/page.h"
#include "output/findings/wait_picture.h"

#include <inttypes.h>
#include <string.h>

enum {
	NODES_SHOWN = 10,
	STATES_SHOWN = 16,
	ROWS_SHOWN = 4,
	BEGAN_SHOWN = 3,
	BEGAN_IN_FULL = 3,
	CALLS_SHOWN = 3
};

/* The drawing to the left of the lines of a node. */
struct node_margins {
	const char *name, *more_name; /* its first line, and continuation lines */
	const char *detail;
	const char *wait, *after_wait; /* the last of its waits */
	const char *other_wait;        /* … and those before */
};

/* In a cycle or chain, several waits for the same process have one arrow. */
static const struct node_margins cycle_first = {"  ┌─► ",    "  │   ",    "  │   │  ",
                                                "  │   ▼  ", "  │      ", "  │   │  "};
static const struct node_margins cycle_inner = {"  │   ",    "  │   ",    "  │   │  ",
                                                "  │   ▼  ", "  │      ", "  │   │  "};
static const struct node_margins cycle_last = {"  │   ",    "  │   ",    "  │   │  ",
                                               "  └───┘  ", "         ", "  │   │  "};
static const struct node_margins cycle_alone = {"  ┌─► ",    "  │   ",    "  │   │  ",
                                                "  └───┘  ", "         ", "  │   │  "};
static const struct node_margins chain_node = {"  ", "  ", "  │  ", "  ▼  ", "     ", "  │  "};
static const struct node_margins knot_node = {"  ", "  ", "  │  ", "  └─► ", "      ", "  ├─► "};
static const char end_margin[] = "  └── ";

struct picture_page {
	const struct findings_page *page;
	const struct wait_picture *picture;
	const char *look; /* of arrows */
	bool has_details; /* arguments, and the origins of requests */
};

static void beside(const struct picture_page *drawn, const char *first, const char *next, struct text *words)
{
	page_beside(drawn->page, &(struct page_margin){first, next, drawn->look, 0}, words);
}

static void add_sentence(const struct picture_page *drawn, const char *margin, const char *sentence)
{
	struct text words = {0};

	text_add(&words, "%s", sentence);
	beside(drawn, margin, margin, &words);
}

/* Nodes */

static void add_name(const struct picture_page *drawn, const char *first, const char *next,
                     const struct picture_node *node)
{
	struct text words = {0};
	size_t strong;

	picture_node_name(drawn->page->findings, node, &words);
	strong = words.length;
	text_add(&words, ": ");
	picture_node_place(drawn->page->findings, node, &words);
	page_beside(drawn->page, &(struct page_margin){first, next, drawn->look, strong}, &words);
}

static void add_waits(const struct picture_page *drawn, const struct node_margins *margins,
                      const struct picture_node *node)
{
	bool is_knot = drawn->picture->shape == PICTURE_KNOT;
	const char *heading = is_knot ? picture_waits_heading(drawn->page->findings, node) : NULL;
	const char *state = picture_node_state(drawn->page->findings, node);
	struct text words = {0};

	if (heading)
		add_sentence(drawn, margins->detail, heading);
	for (size_t i = 0; i < node->wait_count; i++) {
		bool is_last = i + 1 == node->wait_count;
		picture_wait_describe(drawn->page->findings, node, &node->waits[i], &words);
		beside(drawn, is_last ? margins->wait : margins->other_wait,
		       is_last ? margins->after_wait : margins->detail, &words);
	}
	if (!node->wait_count && state)
		add_sentence(drawn, end_margin, state);
}

static void add_node(const struct picture_page *drawn, const struct node_margins *margins,
                     const struct picture_node *node)
{
	bool is_short;
	struct text words = {0};

	add_name(drawn, margins->name, margins->more_name, node);
	is_short = drawn->picture->count > BEGAN_IN_FULL && !drawn->page->style->stacks;
	if (drawn->has_details) {
		if (!node->began_count)
			picture_node_arguments(drawn->page->findings, node, &words);
		if (words.length)
			beside(drawn, margins->detail, margins->detail, &words);
		for (size_t i = 0; i < node->began_count && i < BEGAN_SHOWN; i++) {
			picture_began_describe(drawn->page->findings, node, i, is_short, &words);
			beside(drawn, margins->detail, margins->detail, &words);
		}
	}
	add_waits(drawn, margins, node);
}

/* Rows: the positions of processes, without their waits. */

static size_t add_rows(const struct picture_page *drawn, const char *margin, const struct picture_node *nodes,
                       size_t count, size_t most)
{
	scoped_text next = {0};
	size_t left = 0;

	text_add(&next, "%s  ", margin);
	for (size_t i = 0; i < count; i++)
		if (i < most || drawn->page->style->stacks)
			add_name(drawn, margin, text_get(&next), &nodes[i]);
		else
			left += nodes[i].ranks.count;
	return left;
}

static void add_left_out(const struct picture_page *drawn, const char *margin, uint64_t count)
{
	struct arena arena = {0};

	if (count)
		add_sentence(drawn, margin,
		             filled_in(&arena, drawn->page->findings->lang, "Processes not shown here: $1.",
		                       (const char *[]){arena_format(&arena, "%" PRIu64, count)}));
	arena_release(&arena);
}

/* Shapes */

static void add_summed_up(const struct picture_page *drawn, bool is_cycle)
{
	const struct wait_picture *picture = drawn->picture;
	struct arena arena = {0};
	const char *count = arena_format(&arena, "%zu", picture->summed_to - picture->summed_from);

	add_sentence(drawn, is_cycle ? "  │   ⋮  " : "  ⋮  ",
	             filled_in(&arena, drawn->page->findings->lang,
	                       "$1 more processes, each waiting for the next:", (const char *[]){count}));
	add_left_out(drawn, is_cycle ? "  │   ⋮  " : "  ⋮  ",
	             add_rows(drawn, is_cycle ? "  │   ⋮    " : "  ⋮    ", picture->summed,
	                      picture->summed_count, ROWS_SHOWN));
	add_sentence(drawn, is_cycle ? "  │   ▼" : "  ▼", " ");
	arena_release(&arena);
}

static const struct node_margins *line_margins(const struct wait_picture *picture, size_t number)
{
	if (picture->shape == PICTURE_CHAIN)
		return &chain_node;
	if (picture->count == 1)
		return &cycle_alone;
	if (number == 0)
		return &cycle_first;
	return number + 1 == picture->count ? &cycle_last : &cycle_inner;
}

static void add_knot(const struct picture_page *drawn)
{
	const struct wait_picture *picture = drawn->picture;
	uint64_t left = picture->missing;

	for (size_t i = 0; i < picture->count; i++)
		if (i < NODES_SHOWN || drawn->page->style->stacks) {
			if (i)
				text_add(drawn->page->out, "\n");
			add_node(drawn, &knot_node, &picture->nodes[i]);
		} else {
			left += picture->nodes[i].ranks.count;
		}
	add_left_out(drawn, "  ", left);
}

static void add_state(const struct picture_page *drawn, const struct picture_node *node)
{
	const char *state = picture_node_state(drawn->page->findings, node);
	struct text words = {0};
	size_t strong;

	picture_node_name(drawn->page->findings, node, &words);
	strong = words.length;
	if (state)
		text_add(&words, " (%s)", state);
	text_add(&words, ": ");
	picture_node_place(drawn->page->findings, node, &words);
	for (size_t i = 0; i < node->wait_count; i++) {
		text_add(&words, ", ");
		picture_wait_describe(drawn->page->findings, node, &node->waits[i], &words);
	}
	page_beside(drawn->page, &(struct page_margin){"    ", "      ", drawn->look, strong}, &words);
}

static void add_states(const struct picture_page *drawn)
{
	const struct wait_picture *picture = drawn->picture;
	uint64_t left = picture->missing;

	add_sentence(drawn, "  ", page_word(drawn->page, "Position of every process, late ones first:"));
	for (size_t i = 0; i < picture->count; i++)
		if (i < STATES_SHOWN || drawn->page->style->stacks)
			add_state(drawn, &picture->nodes[i]);
		else
			left += picture->nodes[i].ranks.count;
	add_left_out(drawn, "    ", left);
}

static void add_behind(const struct picture_page *drawn)
{
	const struct wait_picture *picture = drawn->picture;
	struct arena arena = {0};

	if (picture->more_behind)
		add_sentence(drawn, "  ",
		             filled_in(&arena, drawn->page->findings->lang,
		                       "Other processes wait for these: ranks $1, for example",
		                       (const char *[]){picture->more_behind}));
	else if (picture->behind_count)
		add_sentence(drawn, "  ", page_word(drawn->page, "Other processes wait for these:"));
	add_left_out(drawn, "    ",
	             add_rows(drawn, "    ", picture->behind, picture->behind_count, ROWS_SHOWN));
	arena_release(&arena);
}

static struct picture_page drawn_of(const struct findings_page *page, const struct shown_finding *finding)
{
	bool is_error = finding->info->severity == SEVERITY_ERROR;

	return (struct picture_page){
		.page = page,
		.picture = finding->picture,
		.look = is_error ? page->style->error : page->style->warning,
		/* The arguments of the collective call decide whether it synchronizes. */
		.has_details = is_error || page->style->stacks ||
	                       finding->check == CHECK_DEADLOCK_POTENTIAL_SEND_COLLECTIVE,
	};
}

void page_picture(const struct findings_page *page, const struct shown_finding *finding)
{
	struct picture_page drawn = drawn_of(page, finding);

	if (drawn.picture->shape == PICTURE_STATES)
		add_states(&drawn);
	else if (drawn.picture->shape == PICTURE_KNOT)
		add_knot(&drawn);
	else {
		const struct wait_picture *picture = drawn.picture;

		for (size_t i = 0; i < picture->count; i++)
			if (i < picture->summed_from || i >= picture->summed_to)
				add_node(&drawn, line_margins(picture, i), &picture->nodes[i]);
			else if (i == picture->summed_from)
				add_summed_up(&drawn, picture->shape == PICTURE_CYCLE);
		add_left_out(&drawn, "  ", picture->missing);
	}
	add_behind(&drawn);
}

/* The source */

/* True if a previous node made the same call. */
static bool is_repeated(const struct wait_picture *picture, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (picture->nodes[i].shown == picture->nodes[number].shown)
			return true;
	return false;
}

void page_picture_calls(const struct findings_page *page, const struct shown_finding *finding)
{
	struct picture_page drawn = drawn_of(page, finding);
	size_t shown = 0;

	for (size_t i = 0; drawn.has_details && i < drawn.picture->count; i++) {
		const struct shown_call *call = drawn.picture->nodes[i].shown;
		struct text words = {0};

		if (!call || !call->stack.count || is_repeated(drawn.picture, i) ||
		    (shown++ >= CALLS_SHOWN && !page->style->stacks))
			continue;
		/* The picture has already named the place. */
		if (call->stack.count < 2 && !stack_frame_excerpt(page->findings, &call->stack.items[0]))
			continue;
		stack_frame_describe(&call->stack.items[0], &words);
		text_add(&words, ":");
		page_paragraph(page, 2, &words);
		page_source(page, &call->stack.items[0]);
		page_callers(page, &call->stack);
	}
}
