/* Rule files and their imports, each loaded once. */
#ifndef TARRY_ANALYSIS_RULES_MODULES_H
#define TARRY_ANALYSIS_RULES_MODULES_H

#include "analysis/rules/syntax.h"

struct modules {
	struct arena *arena;
	struct diagnostics *errors;
	const char *shipped;
	bool without_tests;
	struct declaration **files; /* of each file, in order: imports first */
	size_t count;
	struct rule_module *all;
	size_t bytes; /* of all */
};

/* The shipped files, then the user's. */
void modules_load(struct modules *modules, const struct rule_options *options);

/* The file and its direct and indirect imports. */
const char *const *modules_visible(const struct modules *modules, const char *path, size_t *count);

#endif
