/* What all files in SARIF 2.1.0 have in common: messages, and names of source files below a root. */
#ifndef TARRY_BASE_SARIF_H
#define TARRY_BASE_SARIF_H

#include "base/json.h"

/* Opens a document and its run, and writes the tool up to its list of rules, which stays open. */
void sarif_begin(struct json *json, const char *version);
/* {"text": …}: braces and brackets, which stand for other things in messages, are escaped. */
void sarif_message(struct json *json, const char *key, const char *text);
void sarif_notification(struct json *json, const char *level, const char *text);
/* Where a call is: its source line, relative to `root` (NULL: none) if it is below it, and its function. `file` may be NULL. */
void sarif_place(struct json *json, const char *root, const char *file, int line, const char *function);
/* Of several results that are the same but for their lines, also the number of this one. */
void sarif_fingerprint(struct json *json, const char *key, const uint64_t *hashes, size_t number);
/* Says where the root is; nothing if it is NULL. */
void sarif_root(struct json *json, const char *root);

#endif
