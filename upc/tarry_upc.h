/* Included in front of every UPC source that `tarry upcc` compiles: makes upc_fence, which no runtime reports, an event. It
 * includes nothing, because the source may still choose what the C library declares, and says nothing to C. */
#ifndef TARRY_UPC_H
#define TARRY_UPC_H

/* Only the former is defined where Berkeley's runtime is used with another compiler. */
#if defined(__BERKELEY_UPC_RUNTIME__) || defined(__BERKELEY_UPC__)
#define TARRY_UPC_BERKELEY 1
#endif

/* What Berkeley UPC makes of a source is compiled once more, as C. UPC_KEYWORDS_H: a UPC made of macros, for tests. */
#if (defined(__UPC__) || defined(UPC_KEYWORDS_H)) && !defined(__BERKELEY_UPC_SECOND_PREPROCESS__)
#define TARRY_UPC_SOURCE 1
#endif

#ifdef TARRY_UPC_SOURCE
#ifdef __BERKELEY_UPC_FIRST_PREPROCESS__
#pragma upc upc_code
#endif

extern void tarry_upc_at(const char *file, int line);
extern void tarry_upc_fence_start(const char *file, int line);
extern void tarry_upc_fence_end(void);

#include "tarry_upc_fence.h"
#endif

#endif
