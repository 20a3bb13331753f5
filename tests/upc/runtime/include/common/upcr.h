/* Entry points of the stand-in runtime, which the UPC headers' macros call with the place of the call.
 *
 * A pointer-to-shared is an opaque value of the size of `void *`: it must not be followed, and only upc_threadof()
 * and upc_addrfield() tell what it points to. It may be added to as long as its type's blocks are those of its object. */
#ifndef UPCR_H
#define UPCR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <upc_types.h>

/* What of a place is reported: calls, and accesses to memory that the thread can address itself. */
enum { UPCR_CALLS = 1, UPCR_LOCAL = 2 };

struct upcr_place {
	const char *file;
	int line;
	unsigned report;
};

typedef void upc_lock_t;
typedef struct upcr_domain upc_atomicdomain_t;
typedef uintptr_t upc_handle_t;
typedef int upc_atomichint_t;

int upcr_mythread(void);
int upcr_threads(void);

void upcr_notify(struct upcr_place at, bool is_named, int id);
void upcr_wait(struct upcr_place at, bool is_named, int id);
void upcr_barrier(struct upcr_place at, bool is_named, int id);
void upcr_fence(void);

struct upcr_forall {
	struct upcr_place at;
	bool is_over;
};
struct upcr_forall upcr_forall_start(struct upcr_place at);
void upcr_forall_end(struct upcr_forall *loop);

void *upcr_all_alloc(size_t blocks, size_t bytes, struct upcr_place at);
void *upcr_global_alloc(size_t blocks, size_t bytes, struct upcr_place at);
void *upcr_alloc(size_t bytes, struct upcr_place at);
void upcr_free(void *object, struct upcr_place at);
void upcr_all_free(void *object, struct upcr_place at);

upc_lock_t *upcr_all_lock_alloc(struct upcr_place at);
upc_lock_t *upcr_global_lock_alloc(struct upcr_place at);
void upcr_lock_free(upc_lock_t *lock, struct upcr_place at);
void upcr_all_lock_free(upc_lock_t *lock, struct upcr_place at);
void upcr_lock(upc_lock_t *lock, struct upcr_place at);
int upcr_lock_attempt(upc_lock_t *lock, struct upcr_place at);
void upcr_unlock(upc_lock_t *lock, struct upcr_place at);

void upcr_memget(void *dst, const void *src, size_t bytes, struct upcr_place at);
void upcr_memput(void *dst, const void *src, size_t bytes, struct upcr_place at);
void upcr_memcpy(void *dst, const void *src, size_t bytes, struct upcr_place at);
void upcr_memset(void *dst, int byte, size_t bytes, struct upcr_place at);
void upcr_get(void *dst, const void *src, size_t bytes, bool is_relaxed, struct upcr_place at);
void upcr_put(void *dst, const void *src, size_t bytes, bool is_relaxed, struct upcr_place at);

/* Clang UPC reports stores, and reads of structs, without file and line, through functions of libupc. */
#ifdef __clang_upc__
enum { UPCR_ELEMENT_MOST = 16 };
void __getgblk5(void *dst, const void *src, size_t bytes, const char *file, int line);
void __putgblk5(void *dst, const void *src, size_t bytes, const char *file, int line);
void __putsgblk5(void *dst, const void *src, size_t bytes, const char *file, int line);
#define upcr_get(dst, src, bytes, is_relaxed, at) \
	((at).report && bytes > UPCR_ELEMENT_MOST ? __getgblk5(dst, src, bytes, "(unknown)", 0) \
	                                          : upcr_get(dst, src, bytes, is_relaxed, at))
#define upcr_put(dst, src, bytes, is_relaxed, at) \
	(!(at).report ? upcr_put(dst, src, bytes, is_relaxed, at) \
	 : is_relaxed ? __putgblk5(dst, src, bytes, "(unknown)", 0) \
	              : __putsgblk5(dst, src, bytes, "(unknown)", 0))
#endif

upc_handle_t upcr_memget_nb(void *dst, const void *src, size_t bytes, struct upcr_place at);
upc_handle_t upcr_memput_nb(void *dst, const void *src, size_t bytes, struct upcr_place at);
upc_handle_t upcr_memcpy_nb(void *dst, const void *src, size_t bytes, struct upcr_place at);
void upcr_memget_nbi(void *dst, const void *src, size_t bytes, struct upcr_place at);
void upcr_memput_nbi(void *dst, const void *src, size_t bytes, struct upcr_place at);
void upcr_memcpy_nbi(void *dst, const void *src, size_t bytes, struct upcr_place at);
void upcr_sync(upc_handle_t handle, struct upcr_place at);
int upcr_sync_attempt(upc_handle_t handle, struct upcr_place at);
void upcr_synci(struct upcr_place at);
int upcr_synci_attempt(struct upcr_place at);

void upcr_all_broadcast(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at);
void upcr_all_scatter(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at);
void upcr_all_gather(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at);
void upcr_all_gather_all(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at);
void upcr_all_exchange(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at);
void upcr_all_permute(void *dst, const void *src, const void *perm, size_t bytes, upc_flag_t flags,
                      struct upcr_place at);

/* All types of reductions: letter of the UPC function's name, type in C. */
#define UPCR_REDUCTIONS(X) \
	X(C, signed char) \
	X(UC, unsigned char) \
	X(S, short) \
	X(US, unsigned short) \
	X(I, int) \
	X(UI, unsigned) \
	X(L, long) \
	X(UL, unsigned long) \
	X(F, float) \
	X(D, double) \
	X(LD, long double)

#define UPCR_DECLARE_REDUCTION(letters, type) \
	void upcr_all_reduce##letters(void *dst, const void *src, upc_op_t op, size_t elements, \
	                              size_t block, type (*function)(type, type), upc_flag_t flags, \
	                              struct upcr_place at); \
	void upcr_all_prefix_reduce##letters(void *dst, const void *src, upc_op_t op, size_t elements, \
	                                     size_t block, type (*function)(type, type), upc_flag_t flags, \
	                                     struct upcr_place at);
UPCR_REDUCTIONS(UPCR_DECLARE_REDUCTION)

int upcr_control(int on);
unsigned upcr_create_event(const char *name, const char *description);
void upcr_user_event(struct upcr_place at, int type, unsigned tag, ...);

void *upcr_malloc(size_t bytes, struct upcr_place at);
void *upcr_realloc(void *old, size_t bytes, struct upcr_place at);
void upcr_cfree(void *old, struct upcr_place at);

void upcr_exit(int status) __attribute__((noreturn));
void upcr_global_exit(int status, struct upcr_place at) __attribute__((noreturn));

#endif
