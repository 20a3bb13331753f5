/* Pages for browsers: one file of HTML that needs nothing else, neither a network nor other files.
 *
 *	struct page page = {.title = "run.tarry", .lang = "en", .view = "report"};
 *	page.parts = (struct page_part[]){{"report", &json}};
 *	page.part_count = 1;
 *	page_write(&page, &out);
 *
 * The C side only writes data: parts are JSON, and the modules beside this file (*.js) draw them. Data is never markup: in the file it
 * has no '<', and the modules make elements and texts of it, never HTML. A policy in the page lets nothing run but its own script. */
#ifndef TARRY_PAGE_PAGE_H
#define TARRY_PAGE_PAGE_H

#include "base/text.h"

struct page_part {
	const char *id; /* by which the script finds it */
	const struct text *json;
};

struct page {
	const char *title;
	const char *lang; /* of its words; NULL: English */
	const char *view; /* what the parts are: a name in the table of main.js */
	const struct page_part *parts;
	size_t part_count;
};

void page_write(const struct page *page, struct text *out);

#endif
