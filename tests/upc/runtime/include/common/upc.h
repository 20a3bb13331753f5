/* The UPC library of the stand-in runtime. */
#ifndef UPC_H
#define UPC_H

#include <upc_keywords.h>

size_t upc_threadof(shared const void *object);
size_t upc_addrfield(shared const void *object);
size_t upc_phaseof(shared const void *object);

#define upc_all_alloc(blocks, bytes) upcr_all_alloc(blocks, bytes, UPCR_HERE)
#define upc_global_alloc(blocks, bytes) upcr_global_alloc(blocks, bytes, UPCR_HERE)
#define upc_alloc(bytes) upcr_alloc(bytes, UPCR_HERE)
#define upc_free(object) upcr_free((void *)(object), UPCR_HERE)
#define upc_all_free(object) upcr_all_free((void *)(object), UPCR_HERE)

#define upc_all_lock_alloc() upcr_all_lock_alloc(UPCR_HERE)
#define upc_global_lock_alloc() upcr_global_lock_alloc(UPCR_HERE)
#define upc_lock_free(lock) upcr_lock_free(lock, UPCR_HERE)
#define upc_all_lock_free(lock) upcr_all_lock_free(lock, UPCR_HERE)
#define upc_lock(lock) upcr_lock(lock, UPCR_HERE)
#define upc_lock_attempt(lock) upcr_lock_attempt(lock, UPCR_HERE)
#define upc_unlock(lock) upcr_unlock(lock, UPCR_HERE)

#define upc_memget(dst, src, bytes) upcr_memget(dst, src, bytes, UPCR_HERE)
#define upc_memput(dst, src, bytes) upcr_memput(dst, src, bytes, UPCR_HERE)
#define upc_memcpy(dst, src, bytes) upcr_memcpy(dst, src, bytes, UPCR_HERE)
#define upc_memset(dst, byte, bytes) upcr_memset(dst, byte, bytes, UPCR_HERE)

#ifdef __BERKELEY_UPC__
#include <bupc_atomics.h>
#endif

#define upc_global_exit(status) upcr_global_exit(status, UPCR_HERE)

#endif
