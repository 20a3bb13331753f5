#include "base/arena.h"
#include "base/markup.h"
#include "base/utf8.h"
#include "language/language.h"
#include "output/findings/wait_picture.h"
#include "output/findings/words.h"

#include <inttypes.h>
#include <string.h>

/* An SVG drawing that grows as shapes are added. Letters have a fixed width, so the size of a text is known.
 * Colours follow the choice of light or dark; no external files are used.
 *
 *	struct svg_canvas canvas = {0};
 *	struct svg_lines lines = svg_wrap(&arena, "rank 0: MPI_Recv", 60);
 *	svg_box(&canvas, (struct svg_rect){20, 20, svg_width(&lines) + 20, 60}, "wait");
 *	svg_text(&canvas, 30, 40, "strong", lines.items[0]);
 *	svg_end(&canvas, "Deadlock", &out); */

enum { SVG_LETTER = 8, SVG_LINE = 18 }; /* width and height of a letter, with its spacing */

struct svg_canvas {
	struct text body;
	int width, height; /* used so far */
};

struct svg_lines {
	const char **items;
	size_t count;
};

enum { MARGIN = 20, RADIUS = 6 };

/* Texts */

/* The next line ends before the last blank that fits, or in the middle of a word that does not fit. */
static size_t line_length(const char *words, size_t letters)
{
	size_t most = utf8_bytes(words, letters), cut = most;

	if (!words[most] || words[most] == ' ')
		return most;
	while (cut && words[cut] != ' ')
		cut--;
	return cut ? cut : most;
}

/* Words in lines of at most so many letters; longer words are broken. */
static struct svg_lines svg_wrap(struct arena *arena, const char *words, size_t letters)
{
	struct svg_lines lines = {0};

	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		size_t length = line_length(words, letters);
		const char *line = arena_bytes_as_text(arena, words, length);
		arena_add(arena, lines.items, lines.count, line);
		words += length;
	}
	return lines;
}

static void svg_lines_add(struct arena *arena, struct svg_lines *lines, const struct svg_lines *more)
{
	for (size_t i = 0; i < more->count; i++)
		arena_add(arena, lines->items, lines->count, more->items[i]);
}

static int svg_width(const struct svg_lines *lines)
{
	size_t most = 0;

	for (size_t i = 0; i < lines->count; i++)
		if (text_width(lines->items[i]) > most)
			most = text_width(lines->items[i]);
	return (int)most * SVG_LETTER;
}

/* Shapes */

static void use(struct svg_canvas *canvas, int x, int y)
{
	canvas->width = x > canvas->width ? x : canvas->width;
	canvas->height = y > canvas->height ? y : canvas->height;
}

/* The text's base line is at `y`; `look` is "strong", "faint" or "". */
static void svg_text(struct svg_canvas *canvas, int x, int y, const char *look, const char *text)
{
	svg_add_text(&canvas->body, look, x, y, text);
	use(canvas, x + (int)text_width(text) * SVG_LETTER, y);
}

/* `look` is one of the classes of the style: "wait", "end", "late", "behind". */
static void svg_box(struct svg_canvas *canvas, struct svg_rect box, const char *look)
{
	svg_add_rect(&canvas->body, look, box, RADIUS);
	use(canvas, box.x + box.width, box.y + box.height);
}

/* A line through these points, with an arrow at its end if wanted; dashed: one of several alternatives. */
static void svg_line(struct svg_canvas *canvas, const struct svg_point *points, size_t count, bool has_arrow,
                     bool is_dashed)
{
	text_add(&canvas->body, "<path d=\"");
	for (size_t i = 0; i < count; i++) {
		text_add(&canvas->body, "%c%d %d", i ? 'L' : 'M', points[i].x, points[i].y);
		use(canvas, points[i].x, points[i].y);
	}
	text_add(&canvas->body, "\" class=\"line%s\"%s/>\n", is_dashed ? " dashed" : "",
	         has_arrow ? " marker-end=\"url(#arrow)\"" : "");
}

/* The document */

/* Without variables, which not all viewers support. */
static const char style[] =
	"<style>\n"
	"text { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1d2126; }\n"
	".strong { font-weight: bold; }\n"
	".faint { fill: #59616a; }\n"
	".paper { fill: #ffffff; }\n"
	".wait { fill: #fdf1f0; stroke: #b3261e; stroke-width: 1.5; }\n"
	".late { fill: #fff6e5; stroke: #9a5b00; stroke-width: 2.5; }\n"
	".end { fill: #f1f3f5; stroke: #59616a; stroke-width: 1.5; }\n"
	".behind { fill: none; stroke: #59616a; stroke-dasharray: 3 3; }\n"
	".line { fill: none; stroke: #b3261e; stroke-width: 1.5; }\n"
	".dashed { stroke-dasharray: 6 4; }\n"
	".head { fill: #b3261e; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"text { fill: #e7eaee; }\n"
	".faint { fill: #a9b1ba; }\n"
	".paper { fill: #16191d; }\n"
	".wait { fill: #2b1d1d; stroke: #ff8a80; }\n"
	".late { fill: #2c2415; stroke: #ffb74d; }\n"
	".end { fill: #22262b; stroke: #a9b1ba; }\n"
	".behind { fill: none; stroke: #a9b1ba; }\n"
	".line { stroke: #ff8a80; }\n"
	".head { fill: #ff8a80; }\n"
	"}\n"
	"</style>\n";

static const char arrow[] =
	"<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" "
	"orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" class=\"head\"/></marker></defs>\n";

/* The whole document; releases the canvas. */
static void svg_end(struct svg_canvas *canvas, const char *title, struct text *out)
{
	int width = canvas->width + MARGIN, height = canvas->height + MARGIN;

	svg_begin(out, width, height, title);
	text_add(out, "%s%s<rect width=\"%d\" height=\"%d\" class=\"paper\"/>\n", style, arrow, width,
	         height);
	text_add_bytes(out, text_get(&canvas->body), canvas->body.length);
	text_add(out, "</svg>\n");
	text_release(&canvas->body);
}

/* Deadlocks and hangs as a drawing. Cycles and chains go down the page, each process with an arrow to the
 * next; the arrow of the last one of a cycle goes back along the left side. Other knots are boxes below each
 * other. To their right is a column with their waits, then a lane for each wait, from which arrows go to the
 * boxes. Texts have separate rows, so no line or other text crosses them. */

enum {
	PICTURES_MAX = 8,
	NODES_MAX = 32,     /* of a knot */
	LEFT = 20,          /* of texts, and of boxes of knots */
	GUTTER = 64,        /* of boxes of a cycle: the arrow back is to their left */
	PAD = 12,           /* in boxes, and around lines */
	LETTERS = 72,       /* of a line in a box */
	LABEL_LETTERS = 44, /* … next to it */
	LANE = 14,
	DETAILS_MAX = 8, /* lines */
};

struct svg_page {
	struct svg_canvas canvas;
	const struct findings *findings;
	struct arena arena;
	int y; /* position of the next element */
};

/* The content of a box. */
struct node_texts {
	struct svg_lines name, place, details;
	int width, height;
};

static struct svg_lines wrap(struct svg_page *page, struct text *words, size_t letters)
{
	struct svg_lines lines = svg_wrap(&page->arena, text_get(words), letters);

	text_release(words);
	return lines;
}

static int lines_height(const struct svg_lines *lines)
{
	return (int)lines->count * SVG_LINE;
}

/* Lines below each other, from this top. */
static int put_lines(struct svg_page *page, int x, int top, const char *look, const struct svg_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		svg_text(&page->canvas, x, top + (int)(i + 1) * SVG_LINE - 5, look, lines->items[i]);
	return top + lines_height(lines);
}

static void put_paragraph(struct svg_page *page, const char *look, const char *words)
{
	struct svg_lines lines = svg_wrap(&page->arena, words, LETTERS + LABEL_LETTERS / 2);

	page->y = put_lines(page, LEFT, page->y, look, &lines);
}

/* Boxes */

static void add_lines(struct svg_page *page, const char *words, struct svg_lines *lines)
{
	struct svg_lines more = svg_wrap(&page->arena, words, LETTERS);

	svg_lines_add(&page->arena, lines, &more);
}

static struct svg_lines details_of(struct svg_page *page, const struct picture_node *node)
{
	const char *heading = picture_waits_heading(page->findings, node);
	const char *state = picture_node_state(page->findings, node);
	struct svg_lines lines = {0};
	scoped_text words = {0};

	if (!node->began_count)
		picture_node_arguments(page->findings, node, &words);
	add_lines(page, text_get(&words), &lines);
	for (size_t i = 0; i < node->began_count && lines.count < DETAILS_MAX; i++) {
		text_clear(&words);
		picture_began_describe(page->findings, node, i, false, &words);
		add_lines(page, text_get(&words), &lines);
	}
	if (lines.count > DETAILS_MAX)
		lines.count = DETAILS_MAX;
	if (state || heading)
		add_lines(page, state ? state : heading, &lines);
	return lines;
}

static struct node_texts texts_of(struct svg_page *page, const struct picture_node *node)
{
	struct node_texts texts = {0};
	struct svg_lines all = {0};
	struct text words = {0};

	picture_node_name(page->findings, node, &words);
	texts.name = wrap(page, &words, LETTERS);
	picture_node_place(page->findings, node, &words);
	texts.place = wrap(page, &words, LETTERS);
	texts.details = details_of(page, node);
	svg_lines_add(&page->arena, &all, &texts.name);
	svg_lines_add(&page->arena, &all, &texts.place);
	svg_lines_add(&page->arena, &all, &texts.details);
	texts.width = svg_width(&all) + 2 * PAD;
	texts.height = lines_height(&all) + PAD;
	return texts;
}

static const char *look_of(const struct picture_node *node)
{
	if (picture_node_is_end(node) || strcmp(node->call->note, NOTE_RUNS) == 0)
		return "end";
	return strcmp(node->call->note, NOTE_LATE) == 0 ? "late" : "wait";
}

static void put_box(struct svg_page *page, const struct picture_node *node, const struct node_texts *texts,
                    struct svg_rect box)
{
	int y = box.y + PAD / 2;

	svg_box(&page->canvas, box, look_of(node));
	y = put_lines(page, box.x + PAD, y, "strong", &texts->name);
	y = put_lines(page, box.x + PAD, y, "", &texts->place);
	put_lines(page, box.x + PAD, y, "faint", &texts->details);
}

static struct svg_lines label_of(struct svg_page *page, const struct picture_node *node, size_t wait,
                                 size_t letters)
{
	struct text words = {0};

	picture_wait_describe(page->findings, node, &node->waits[wait], &words);
	return wrap(page, &words, letters);
}

/* Rows with the positions of processes, in a separate box. */
static void put_rows(struct svg_page *page, int x, const char *look, const char *heading,
                     const struct picture_node *nodes, size_t count)
{
	struct svg_lines lines = svg_wrap(&page->arena, heading, LETTERS);

	for (size_t i = 0; i < count && lines.count < NODES_MAX; i++) {
		struct text words = {0};
		struct svg_lines more;

		picture_node_name(page->findings, &nodes[i], &words);
		text_add(&words, ": ");
		picture_node_place(page->findings, &nodes[i], &words);
		more = wrap(page, &words, LETTERS);
		svg_lines_add(&page->arena, &lines, &more);
	}
	svg_box(&page->canvas,
	        (struct svg_rect){x, page->y, svg_width(&lines) + 2 * PAD, lines_height(&lines) + PAD}, look);
	put_lines(page, x + PAD, page->y + PAD / 2, "faint", &lines);
	page->y += lines_height(&lines) + PAD;
}

static const char *counted(struct svg_page *page, const char *word, uint64_t count)
{
	return filled_in(&page->arena, page->findings->lang, word,
	                 (const char *[]){arena_format(&page->arena, "%" PRIu64, count)});
}

/* Cycles and chains */

/* An arrow down to the next box, with its label. */
static void put_arrow_down(struct svg_page *page, int x, const struct svg_lines *label)
{
	int bottom = page->y + lines_height(label) + 2 * PAD;

	svg_line(&page->canvas, (struct svg_point[]){{x, page->y}, {x, bottom}}, 2, true, false);
	put_lines(page, x + PAD, page->y + PAD, "", label);
	page->y = bottom;
}

static void put_line(struct svg_page *page, const struct wait_picture *picture)
{
	int first = page->y + PAD / 2 + SVG_LINE / 2;

	for (size_t i = 0; i < picture->count; i++) {
		const struct picture_node *node = &picture->nodes[i];
		struct svg_lines label = {0};
		struct node_texts texts;

		if (i == picture->summed_from && picture->summed_count) {
			static const struct svg_lines none;

			put_rows(page, GUTTER, "wait",
			         counted(page, "$1 more processes, each waiting for the next:",
			                 picture->summed_to - picture->summed_from),
			         picture->summed, picture->summed_count);
			put_arrow_down(page, GUTTER + 2 * PAD, &none);
		}
		if (i >= picture->summed_from && i < picture->summed_to)
			continue;
		texts = texts_of(page, node);
		put_box(page, node, &texts, (struct svg_rect){GUTTER, page->y, texts.width, texts.height});
		page->y += texts.height;
		for (size_t j = 0; j < node->wait_count; j++) {
			struct svg_lines more = label_of(page, node, j, LETTERS);
			svg_lines_add(&page->arena, &label, &more);
		}
		if (picture->shape == PICTURE_CYCLE && i + 1 == picture->count) {
			int x = GUTTER + 2 * PAD, bottom = page->y + lines_height(&label) + PAD;

			/* From the last box out, along the left side, into the first. */
			svg_line(&page->canvas,
			         (struct svg_point[]){{x, page->y},
			                              {x, bottom},
			                              {LEFT, bottom},
			                              {LEFT, first},
			                              {GUTTER, first}},
			         5, true, false);
			put_lines(page, x + PAD, page->y + PAD / 2, "", &label);
			page->y = bottom + PAD;
		} else if (i + 1 < picture->count)
			put_arrow_down(page, GUTTER + 2 * PAD, &label);
	}
}

/* Other knots */

/* A box with the rows to its right: one for each wait, with its text, then one for each incoming arrow. */
struct knot_row {
	struct node_texts texts;
	struct svg_lines *labels; /* of its waits */
	int *wait_y;              /* where their lines start */
	int y, height;
	int next_in_y; /* where the next incoming arrow ends */
};

struct knot_layout {
	const struct wait_picture *picture;
	struct knot_row *rows;
	size_t count;
	int box_width, label_width;
};

static size_t arrows_into(const struct knot_layout *layout, size_t node)
{
	size_t count = 0;

	for (size_t i = 0; i < layout->count; i++)
		for (size_t j = 0; j < layout->picture->nodes[i].wait_count; j++)
			for (size_t k = 0; k < layout->picture->nodes[i].waits[j].node_count; k++)
				count += layout->picture->nodes[i].waits[j].nodes[k] == node;
	return count;
}

static void place_row(struct svg_page *page, struct knot_layout *layout, size_t number)
{
	const struct picture_node *node = &layout->picture->nodes[number];
	struct knot_row *row = &layout->rows[number];
	int y = page->y;

	row->texts = texts_of(page, node);
	row->labels = arena_array(&page->arena, struct svg_lines, node->wait_count + 1);
	row->wait_y = arena_array(&page->arena, int, node->wait_count + 1);
	row->y = y;
	for (size_t i = 0; i < node->wait_count; i++) {
		row->labels[i] = label_of(page, node, i, LABEL_LETTERS);
		if (svg_width(&row->labels[i]) > layout->label_width)
			layout->label_width = svg_width(&row->labels[i]);
		y += lines_height(&row->labels[i]) + PAD / 2;
		row->wait_y[i] = y;
		y += PAD / 2;
	}
	row->next_in_y = y + PAD;
	y += PAD + (int)arrows_into(layout, number) * LANE;
	row->height = y - row->y > row->texts.height ? y - row->y : row->texts.height;
	if (row->texts.width > layout->box_width)
		layout->box_width = row->texts.width;
	page->y += row->height + 2 * PAD;
}

/* A lane for a wait: from its box to the awaited ones. */
static void put_lane(struct svg_page *page, struct knot_layout *layout, size_t number, size_t wait, int lane)
{
	const struct picture_wait *waited = &layout->picture->nodes[number].waits[wait];
	struct knot_row *row = &layout->rows[number];
	int right = LEFT + layout->box_width, y = row->wait_y[wait];
	int x = right + layout->label_width + 4 * PAD + lane * LANE;
	bool has_choice = waited->ranks.count > 1 || layout->picture->nodes[number].wait_count > 1;

	put_lines(page, right + PAD, y - PAD / 4 - lines_height(&row->labels[wait]), "", &row->labels[wait]);
	for (size_t i = 0; i < waited->node_count; i++) {
		struct knot_row *target;
		if (waited->nodes[i] >= layout->count)
			continue;
		target = &layout->rows[waited->nodes[i]];
		svg_line(&page->canvas,
		         (struct svg_point[]){
				 {right, y}, {x, y}, {x, target->next_in_y}, {right, target->next_in_y}},
		         4, true, waited->is_one_of && has_choice);
		target->next_in_y += LANE;
	}
}

/* Findings */

/* Explains which boxes belong to the deadlock, if not all do. */
static void put_legend(struct svg_page *page, const struct wait_picture *picture)
{
	const bool is_hang = picture->shape == PICTURE_STATES;
	const struct {
		const char *look, *words;
	} kinds[] = {{"wait", is_hang ? "waits" : "part of the deadlock"},
	             {"late", "others wait for it"},
	             {"end", is_hang ? "outside MPI" : "has finished"},
	             {"behind", "not part of the deadlock, waits for it"}};
	bool is_there[sizeof kinds / sizeof *kinds] = {[3] = picture->behind_count || picture->more_behind};
	size_t there = is_there[3];
	int x = LEFT;

	for (size_t i = 0; i < picture->count; i++)
		for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++)
			if (!is_there[j] && strcmp(kinds[j].look, look_of(&picture->nodes[i])) == 0) {
				is_there[j] = true;
				there++;
			}
	if (there < 2)
		return;
	page->y += PAD;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const char *words = translate(page->findings->lang, kinds[i].words);

		if (!is_there[i])
			continue;
		svg_box(&page->canvas, (struct svg_rect){x, page->y, SVG_LINE, SVG_LINE - 4}, kinds[i].look);
		svg_text(&page->canvas, x + SVG_LINE + PAD, page->y + SVG_LINE - 7, "faint", words);
		x += SVG_LINE + 3 * PAD + (int)text_width(words) * SVG_LETTER;
	}
	page->y += SVG_LINE;
}

static void put_finding(struct svg_page *page, const struct shown_finding *finding)
{
	const struct wait_picture *picture = finding->picture;
	uint64_t left_out = picture->missing;

	page->y += PAD;
	put_paragraph(page, "strong",
	              arena_format(&page->arena, "%s [%s]", finding->name, finding->info->id));
	put_paragraph(page, "", finding->why);
	page->y += PAD;
	if (picture->shape == PICTURE_CYCLE || picture->shape == PICTURE_CHAIN)
		put_line(page, picture);
	else {
		struct knot_layout layout = {
			.picture = picture,
			.rows = arena_array(&page->arena, struct knot_row, picture->count + 1),
			.count = picture->count < NODES_MAX ? picture->count : NODES_MAX,
		};
		int lane = 0;

		for (size_t i = 0; i < layout.count; i++)
			place_row(page, &layout, i);
		for (size_t i = 0; i < layout.count; i++) {
			struct knot_row *row = &layout.rows[i];
			put_box(page, &picture->nodes[i], &row->texts,
			        (struct svg_rect){LEFT, row->y, layout.box_width, row->height});
			for (size_t j = 0; j < picture->nodes[i].wait_count; j++)
				put_lane(page, &layout, i, j, lane++);
		}
	}
	for (size_t i = NODES_MAX; picture->shape >= PICTURE_KNOT && i < picture->count; i++)
		left_out += picture->nodes[i].ranks.count;
	if (left_out)
		put_paragraph(page, "faint", counted(page, "Processes not shown here: $1.", left_out));
	if (picture->behind_count || picture->more_behind) {
		page->y += PAD;
		put_rows(page, picture->shape == PICTURE_CYCLE ? GUTTER : LEFT, "behind",
		         picture->more_behind
		                 ? filled_in(&page->arena, page->findings->lang,
		                             "Other processes wait for these: ranks $1, for example",
		                             (const char *[]){picture->more_behind})
		                 : translate(page->findings->lang, "Other processes wait for these:"),
		         picture->behind, picture->behind_count);
	}
	put_legend(page, picture);
	page->y += 2 * PAD;
}

void findings_svg(const struct findings *findings, struct text *out)
{
	struct svg_page page = {.findings = findings};
	const char *title = translate(findings->lang, "No deadlock or hang was found.");
	size_t drawn = 0;

	for (size_t i = 0; i < findings->count && drawn < PICTURES_MAX; i++) {
		if (!findings->items[i].picture)
			continue;
		title = drawn++ ? title : findings->items[i].name;
		put_finding(&page, &findings->items[i]);
	}
	if (!drawn)
		put_paragraph(&page, "", title);
	svg_end(&page.canvas, title, out);
	arena_release(&page.arena);
}
