/* Which parts of a program are to be recorded: --only, --not, --from and --to of `tarry run` and `tarry exec`. */
#ifndef TARRY_CLI_WANTED_H
#define TARRY_CLI_WANTED_H

#include "base/status.h"

#include <stdbool.h>

/* As the options say it; NULL: no rule of this kind. */
struct wanted {
	const char *only, *except;
	const char *from, *to;
};

enum status wanted_check(const struct wanted *wanted) MUST_CHECK;

/* Sets the environment of this process for those it will start. `keep` what stands there where there is no rule: a
 * process of a run goes by what the run was told. */
enum status wanted_enter(const struct wanted *wanted, bool keep) MUST_CHECK;

#endif
