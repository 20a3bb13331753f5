/* For all planted programs. Their only argument is a delay in milliseconds, which causes the problem. Each thread has a
 * block of shared memory. */
#if defined(__UPC__) && defined(__BERKELEY_UPC__)
#pragma upc upc_code /* translate this header too, though little in it looks like UPC */
#endif
#ifndef PLANTED_H
#define PLANTED_H

#include "portable.h"

enum { BLOCK = 256 };

static inline int delay_of(int argc, char **argv)
{
	return argc > 1 ? atoi(argv[1]) : 0;
}

#endif
