/* What a trace may tell of the environment and the arguments of a program. Traces are passed on; what a shell exports is nobody's
 * business but the user's. So only variables that MPI libraries, launchers, batch systems, threads and the loader go by are
 * recorded, and whatever may be a secret keeps its name alone.
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

/* `length` is that of the name; a value may follow it. */
enum disclosure variable_disclosure(const char *name, size_t length);

/* What may be told of the next argument of a program: itself, or what is put into `masked`. `is_secret` begins with false, and
 * is kept from one argument to the next. */
const char *argument_disclose(const char *argument, bool *is_secret, char *masked, size_t room);

#endif
