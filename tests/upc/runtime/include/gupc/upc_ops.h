/* Operations of reductions and atomics: numbers of the GNU-like runtime. */
#ifndef UPC_OPS_H
#define UPC_OPS_H

typedef int upc_op_t;

#define UPC_ADD (1 << 0)
#define UPC_MULT (1 << 1)
#define UPC_AND (1 << 2)
#define UPC_OR (1 << 3)
#define UPC_XOR (1 << 4)
#define UPC_LOGAND (1 << 5)
#define UPC_LOGOR (1 << 6)
#define UPC_MIN (1 << 7)
#define UPC_MAX (1 << 8)
#define UPC_FUNC (1 << 9)
#define UPC_NONCOMM_FUNC (1 << 10)
#define UPC_SUB (1 << 11)
#define UPC_INC (1 << 12)
#define UPC_DEC (1 << 13)
#define UPC_SET (1 << 14)
#define UPC_GET (1 << 15)
#define UPC_CSWAP (1 << 16)

#endif
