/* The common parts of all SARIF 2.1.0 files: messages, and names of source files below a root. */
#ifndef TARRY_BASE_SARIF_H
#define TARRY_BASE_SARIF_H

#include "base/json.h"

/* Opens a document and its run, and writes the tool up to its list of rules, which remains open. */
void sarif_begin(struct json *json, const char *version);
/* {"text": …}. Braces and brackets have a meaning in messages, so they are escaped. */
void sarif_message(struct json *json, const char *key, const char *text);
void sarif_notification(struct json *json, const char *level, const char *text);
/* The location of a call: its source line, relative to `root` if it is below it (NULL: no root), and its
 * function. `file` may be NULL. */
void sarif_place(struct json *json, const char *root, const char *file, int line, const char *function);
/* If several results differ only in their lines, also the number of this one. */
void sarif_fingerprint(struct json *json, const char *key, const uint64_t *hashes, size_t number);
/* Writes the location of the root; nothing if it is NULL. */
void sarif_root(struct json *json, const char *root);

#endif
