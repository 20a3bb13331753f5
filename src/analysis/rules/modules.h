/* Files of rules and what they import, each loaded once. */
#ifndef TARRY_ANALYSIS_RULES_MODULES_H
#define TARRY_ANALYSIS_RULES_MODULES_H

#include "analysis/rules/syntax.h"

struct modules {
	struct arena *arena;
	struct diagnostics *errors;
	const char *shipped;
	bool without_tests;
	struct declaration **files; /* of each file, in order: what is imported comes first */
	size_t count;
	struct rule_module *all;
	size_t bytes; /* of all */
};

/* The shipped ones, then the user's. */
void modules_load(struct modules *modules, const struct rule_options *options);

/* The file and those that it imports, directly or through others. */
const char *const *modules_visible(const struct modules *modules, const char *path, size_t *count);

#endif
