/* Text of others in a page: names come from files that nobody trusts. */
#ifndef TARRY_BENCH_RESULTS_HTML_H
#define TARRY_BENCH_RESULTS_HTML_H

#include "base/text.h"

/* As it may stand between tags and, in double quotes, in attributes of HTML and SVG. What is no letter of UTF-8, or one that
 * XML forbids, becomes a replacement character. */
void html_add(struct text *out, const char *words);
/* At most so many letters, the last of them an ellipsis when some are left out. */
void html_add_cut(struct text *out, const char *words, size_t letters);

#endif
