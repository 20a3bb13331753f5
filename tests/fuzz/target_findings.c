/* Logs of analysers. Whatever they hold can be shown in all forms, without moving a cursor, and a log that is shorter holds no more.
 * Bit 0: in Russian, bit 1: with stacks. */
#include "fuzz.h"
#include "output/findings/findings.h"
#include "output/findings/wait_picture.h"

#include <string.h>

enum { IN_RUSSIAN = 1, WITH_STACKS = 2 };

const uint8_t fuzz_modes = 4;

static void check_text(const struct text *out)
{
	for (size_t i = 0; i < out->length; i++)
		if ((unsigned char)out->bytes[i] < ' ' && out->bytes[i] != '\n')
			give_up("a cursor can be moved");
}

/* Everything that a picture names is in it. */
static void check_picture(const struct wait_picture *picture)
{
	if (!picture->count || picture->summed_from > picture->summed_to ||
	    picture->summed_to > picture->count)
		give_up("a picture of nothing");
	for (size_t i = 0; i < picture->count; i++)
		for (size_t j = 0; j < picture->nodes[i].wait_count; j++) {
			const struct picture_wait *wait = &picture->nodes[i].waits[j];
			for (size_t k = 0; k < wait->node_count; k++)
				if (wait->nodes[k] >= picture->count)
					give_up("a wait for a node that is not there");
		}
}

/* Only our own code opens elements. */
static void check_drawing(const struct text *out)
{
	check_text(out);
	for (const char *at = text_get(out); (at = strchr(at, '<')); at++)
		if (!strchr("/?!", at[1]) && strncmp(at + 1, "svg", 3) && strncmp(at + 1, "style", 5) &&
		    strncmp(at + 1, "text", 4) && strncmp(at + 1, "title", 5) && strncmp(at + 1, "rect", 4) &&
		    strncmp(at + 1, "path", 4) && strncmp(at + 1, "defs", 4) && strncmp(at + 1, "marker", 6))
			give_up("an element that is none of ours");
}

static void show(const struct check_run *run, uint8_t mode)
{
	struct findings_options options = {.lang = mode & IN_RUSSIAN ? "ru" : NULL};
	struct findings_style style = {
		.width = 80, .stacks = mode & WITH_STACKS, .suppressions = mode & WITH_STACKS};
	struct findings *findings = findings_new(run, &options);
	struct text out = {0};

	if (findings->count > run->findings.count ||
	    findings->errors + findings->warnings + findings->notes != findings->count)
		give_up("findings are not counted right");
	findings_text(findings, &style, &out);
	check_text(&out);
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].picture)
			check_picture(findings->items[i].picture);
	for (int i = 0; i < FINDINGS_FORMATS_END; i++) {
		text_clear(&out);
		findings_formats[i].write(findings, &out);
		if (i == FINDINGS_SVG)
			check_drawing(&out);
	}
	text_release(&out);
	findings_free(findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = scratch_path("analyser-0.log");
	struct check_run run;

	if (!size)
		return 0;
	scratch_write(path, data + 1, size - 1);
	if (check_run_read(path, &run) != OK)
		give_up("a log was refused");
	if (run.logs.items[0].unread_bytes > size - 1)
		give_up("more bytes are not read than there are");
	show(&run, *data);
	check_run_release(&run);
	return 0;
}
