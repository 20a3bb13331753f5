/* Manual pages as plain text, where no program of the system shows them: a reader of the part of mdoc(7) that our pages use.
 *
 *	struct text page = {0};
 *	manual_page_render(source, 80, &page);      "NAME\n     tarry-run – start an MPI job …" */
#ifndef TARRY_CLI_MANUAL_PAGE_H
#define TARRY_CLI_MANUAL_PAGE_H

#include "base/text.h"

/* Macros that it does not know are taken for words. */
void manual_page_render(const char *source, size_t width, struct text *page);

#endif
