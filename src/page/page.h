/* Pages for browsers: a single self-contained HTML file that needs no network and no other files.
 *
 *	struct page page = {.title = "run.tarry", .lang = "en", .view = "report"};
 *	page.parts = (struct page_part[]){{"report", &json}};
 *	page.part_count = 1;
 *	page_write(&page, &out);
 *
 * The C code only writes data: parts are JSON, and the modules in this folder (*.js) draw them. Data is never
 * markup: in the file it contains no '<', and the modules turn it into elements and texts, never into HTML. A
 * policy in the page allows only its own script to run. */
#ifndef TARRY_PAGE_PAGE_H
#define TARRY_PAGE_PAGE_H

#include "base/text.h"

struct page_part {
	const char *id; /* the script finds it by this id */
	const struct text *json;
};

struct page {
	const char *title;
	const char *lang; /* language of the page; NULL: English */
	const char *view; /* a name in the table of main.js */
	const struct page_part *parts;
	size_t part_count;
};

void page_write(const struct page *page, struct text *out);

#endif
