/* Transfers that a later call completes. */
#ifndef UPC_NB_H
#define UPC_NB_H

#include <upc.h>

#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

#define upc_memget_nb(dst, src, bytes) upcr_memget_nb(dst, src, bytes, UPCR_HERE)
#define upc_memput_nb(dst, src, bytes) upcr_memput_nb(dst, src, bytes, UPCR_HERE)
#define upc_memcpy_nb(dst, src, bytes) upcr_memcpy_nb(dst, src, bytes, UPCR_HERE)
#define upc_memget_nbi(dst, src, bytes) upcr_memget_nbi(dst, src, bytes, UPCR_HERE)
#define upc_memput_nbi(dst, src, bytes) upcr_memput_nbi(dst, src, bytes, UPCR_HERE)
#define upc_memcpy_nbi(dst, src, bytes) upcr_memcpy_nbi(dst, src, bytes, UPCR_HERE)
#define upc_sync(handle) upcr_sync(handle, UPCR_HERE)
#define upc_sync_attempt(handle) upcr_sync_attempt(handle, UPCR_HERE)
#define upc_synci() upcr_synci(UPCR_HERE)
#define upc_synci_attempt() upcr_synci_attempt(UPCR_HERE)

#endif
