/* Which environment variables and arguments of a program a trace may contain. Traces are passed on, while the
 * user's environment is private. So only variables of MPI libraries, launchers, batch systems, thread
 * libraries and the loader are recorded; of possible secrets, only the name.
 *
 *	switch (variable_disclosure("OMPI_MCA_btl", 12)) …
 *
 *	bool is_secret = false;
 *	for (each argument)
 *		tell(argument_disclose(argument, &is_secret, masked, sizeof masked));      --token abc: "--token", "***" */
#ifndef TARRY_BASE_DISCLOSURE_H
#define TARRY_BASE_DISCLOSURE_H

#include <stdbool.h>
#include <stddef.h>

#define DISCLOSURE_MASK "***"

enum disclosure {
	DISCLOSE_NOTHING,
	DISCLOSE_NAME, /* with DISCLOSURE_MASK for its value */
	DISCLOSE_ALL,
};

/* `length` is the length of the name; a value may follow it. */
enum disclosure variable_disclosure(const char *name, size_t length);

/* The text to record for the next argument of a program: the argument itself, or the masked text in `masked`.
 * `is_secret` begins as false and is kept from one argument to the next. */
const char *argument_disclose(const char *argument, bool *is_secret, char *masked, size_t room);

#endif
