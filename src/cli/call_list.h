/* Lists of functions and classes of functions, as --only, --not and --calls take them (calls/select.h). */
#ifndef TARRY_CLI_CALL_LIST_H
#define TARRY_CLI_CALL_LIST_H

#include "base/status.h"
#include "base/text.h"

/* Does every word of the list of this option mean something? NULL is no list. */
enum status call_list_check(const char *option, const char *list) MUST_CHECK;

/* Fails, and says what may have been meant. */
enum status call_list_unknown(const char *option, const char *word) MUST_CHECK;

void call_list_offer_functions(struct nearest *nearest);

#endif
