/* The events of libupc, for compilers without its <gasp_upc.h>, such as an installed clang-upc. The
 * numbers are those of its own header, the same for GNU UPC and Clang UPC. Only events that it delivers. */
#ifndef TARRY_UPC_LIBUPC_EVENTS_H
#define TARRY_UPC_LIBUPC_EVENTS_H

#define GASP_UPC_VERSION 40302

#define GASP_C_FUNC 1

#define GASP_UPC_COLLECTIVE_EXIT 5
#define GASP_UPC_NONCOLLECTIVE_EXIT 6
#define GASP_UPC_NOTIFY 7
#define GASP_UPC_WAIT 8
#define GASP_UPC_BARRIER 9
#define GASP_UPC_FORALL 11
#define GASP_UPC_GLOBAL_ALLOC 12
#define GASP_UPC_ALL_ALLOC 13
#define GASP_UPC_ALLOC 14
#define GASP_UPC_FREE 15
#define GASP_UPC_GLOBAL_LOCK_ALLOC 16
#define GASP_UPC_ALL_LOCK_ALLOC 17
#define GASP_UPC_LOCK_FREE 18
#define GASP_UPC_LOCK 19
#define GASP_UPC_LOCK_ATTEMPT 20
#define GASP_UPC_UNLOCK 21
#define GASP_UPC_MEMCPY 22
#define GASP_UPC_MEMGET 23
#define GASP_UPC_MEMPUT 24
#define GASP_UPC_MEMSET 25
#define GASP_UPC_GET 26
#define GASP_UPC_PUT 27

#define GASP_UPC_USEREVT_START 1000
#define GASP_UPC_USEREVT_END 1999

#endif
