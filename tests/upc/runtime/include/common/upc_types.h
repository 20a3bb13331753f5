/* Types that the UPC libraries share, with the numbers of UPC 1.3. */
#ifndef UPC_TYPES_H
#define UPC_TYPES_H

#include <upc_ops.h>

typedef int upc_flag_t;

#define UPC_IN_ALLSYNC (1 << 0)
#define UPC_IN_MYSYNC (1 << 1)
#define UPC_IN_NOSYNC (1 << 2)
#define UPC_OUT_ALLSYNC (1 << 3)
#define UPC_OUT_MYSYNC (1 << 4)
#define UPC_OUT_NOSYNC (1 << 5)

typedef int upc_type_t;

#define UPC_CHAR 1
#define UPC_UCHAR 2
#define UPC_SHORT 3
#define UPC_USHORT 4
#define UPC_INT 5
#define UPC_UINT 6
#define UPC_LONG 7
#define UPC_ULONG 8
#define UPC_INT32 13
#define UPC_UINT32 14
#define UPC_INT64 15
#define UPC_UINT64 16
#define UPC_FLOAT 17
#define UPC_DOUBLE 18

#endif
