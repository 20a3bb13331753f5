/* Transfers that a later call completes: functions that are not reported to tools. */
#ifndef UPC_NB_H
#define UPC_NB_H

#include <upc.h>

#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

upc_handle_t upc_memget_nb(void *dst, shared const void *src, size_t bytes);
upc_handle_t upc_memput_nb(shared void *dst, const void *src, size_t bytes);
upc_handle_t upc_memcpy_nb(shared void *dst, shared const void *src, size_t bytes);
void upc_memget_nbi(void *dst, shared const void *src, size_t bytes);
void upc_memput_nbi(shared void *dst, const void *src, size_t bytes);
void upc_memcpy_nbi(shared void *dst, shared const void *src, size_t bytes);
void upc_sync(upc_handle_t handle);
int upc_sync_attempt(upc_handle_t handle);
void upc_synci(void);
int upc_synci_attempt(void);

#endif
