#include "page/page.h"

#include "base/markup.h"
#include "language/language.h"
#include "page/bundle.h"

#include <inttypes.h>
#include <string.h>
#include <sys/random.h>

/* In JSON, '<' occurs only inside strings, where it can be escaped: so no text of a trace can
 * end the element. Line breaks and indentation occur only between values; dropping them can
 * save a third of a page. */
static void add_json(struct text *out, const struct text *json)
{
	const char *at = text_get(json), *end = at + json->length;

	while (at < end) {
		size_t plain = strcspn(at, "<\n");
		text_add_bytes(out, at, plain);
		at += plain;
		if (at == end)
			return;
		if (*at == '\n') {
			at += strspn(at, "\n ");
			continue;
		}
		if (*at == '<')
			text_add(out, "\\u003c");
		else
			text_add_bytes(out, at, 1);
		at++;
	}
}

/* The policy allows the page's own script by an unpredictable number. Without random numbers no script may
 * run, and the page says that it needs one. */
static uint64_t make_nonce(void)
{
	uint64_t nonce;

	return getrandom(&nonce, sizeof nonce, 0) == sizeof nonce ? nonce : 0;
}

void page_write(const struct page *page, struct text *out)
{
	uint64_t nonce = make_nonce();

	text_add(out, "<!DOCTYPE html>\n<html lang=\"");
	text_add_escaped(out, page->lang ? page->lang : "en");
	text_add(out, "\">\n<head>\n<meta charset=\"utf-8\">\n"
	              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
	if (nonce)
		text_add(out, "script-src 'nonce-%016" PRIx64 "'; ", nonce);
	text_add(out, "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; base-uri 'none'; "
	              "form-action 'none'\">\n"
	              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	              "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
	text_add_escaped(out, page->title);
	text_add(out, "</title>\n<style>\n%s</style>\n</head>\n", bundled_style);
	text_add(out, "<body data-view=\"");
	text_add_escaped(out, page->view);
	text_add(out, "\">\n<div id=\"page\"><p>%s</p></div>\n",
	         translate(page->lang, "This page needs JavaScript."));
	for (size_t i = 0; i < page->part_count; i++) {
		text_add(out, "<script type=\"application/json\" id=\"%s\">", page->parts[i].id);
		add_json(out, page->parts[i].json);
		text_add(out, "</script>\n");
	}
	text_add(out, "<script type=\"module\" nonce=\"%016" PRIx64 "\">\n", nonce);
	text_add_bytes(out, bundled_script, strlen(bundled_script));
	text_add(out, "</script>\n</body>\n</html>\n");
}
