/* What all files in SARIF 2.1.0 have in common: messages, and names of source files below a root. */
#ifndef TARRY_BASE_SARIF_H
#define TARRY_BASE_SARIF_H

#include "base/json.h"

#define SARIF_SCHEMA \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* {"text": …}: braces and brackets, which stand for other things in messages, are escaped. */
void sarif_message(struct json *json, const char *key, const char *text);
/* A source file, relative to `root` (NULL: none) if it is below it. */
void sarif_artifact(struct json *json, const char *root, const char *file);
/* Says where the root is; nothing if it is NULL. */
void sarif_root(struct json *json, const char *root);

#endif
