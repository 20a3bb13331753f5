/* The page of a checked run: its findings as JSON, beside the modules that show them. */
#include "output/findings/findings.h"
#include "page/page.h"

void findings_html(const struct findings *findings, struct text *out)
{
	struct text json = {0};
	const struct page_part parts[] = {{"check", &json}};
	const struct page page = {.title = "tarry check",
	                          .lang = findings->lang,
	                          .view = "check",
	                          .parts = parts,
	                          .part_count = sizeof parts / sizeof *parts};

	findings_json(findings, &json);
	page_write(&page, out);
	text_release(&json);
}
