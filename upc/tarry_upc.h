/* Included before every UPC source that 'tarry upcc' compiles: makes upc_fence, which no runtime reports,
 * an event. It has no effect on C and assembler sources, and includes nothing that the compiler does not
 * include itself, because the source may still choose the declarations of the C library. */
#ifndef TARRY_UPC_H
#define TARRY_UPC_H

/* Only the former is defined if Berkeley's runtime is used with another compiler. */
#if defined(__BERKELEY_UPC_RUNTIME__) || defined(__BERKELEY_UPC__)
#define TARRY_UPC_BERKELEY 1
#endif

/* The output of Berkeley UPC is compiled again, as C, and includes headers without UPC again: then only
 * the declarations count. UPC_KEYWORDS_H: a UPC made of macros, for tests. */
#if defined(__UPC__) || defined(UPC_KEYWORDS_H)
extern void tarry_upc_at(const char *file, int line);
extern void tarry_upc_fence_start(const char *file, int line);
extern void tarry_upc_fence_end(void);

#ifndef __BERKELEY_UPC_SECOND_PREPROCESS__
#define TARRY_UPC_SOURCE 1
#endif
#endif

/* libupc defines upc_fence as a macro, in a header that its compilers include themselves, possibly after
 * this one. */
#if defined(TARRY_UPC_SOURCE) && !defined(TARRY_UPC_BERKELEY) && defined(__has_include)
#if defined(__clang__)
#if __has_include(<clang-upc.h>)
#include <clang-upc.h>
#endif
#elif __has_include(<gcc-upc.h>)
#include <gcc-upc.h>
#endif
#endif

/* One statement, as before. A macro is first kept as a function; Berkeley UPC has a keyword. */
#ifdef TARRY_UPC_SOURCE
#ifdef upc_fence
static __inline__ void tarry_upc_plain_fence(void)
{
	upc_fence;
}
#undef upc_fence
#define upc_fence \
	do { \
		tarry_upc_fence_start(__FILE__, __LINE__); \
		tarry_upc_plain_fence(); \
		tarry_upc_fence_end(); \
	} while (0)
#elif defined(TARRY_UPC_BERKELEY)
#define upc_fence \
	do { \
		tarry_upc_fence_start(__FILE__, __LINE__); \
		upc_fence; \
		tarry_upc_fence_end(); \
	} while (0)
#endif
#endif

#endif
