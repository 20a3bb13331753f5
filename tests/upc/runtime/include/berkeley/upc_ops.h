/* Operations of reductions and atomics: numbers of the network layer under the Berkeley-like runtime. Operations that only atomics have
 * share numbers with such that only reductions have. */
#ifndef UPC_OPS_H
#define UPC_OPS_H

typedef int upc_op_t;

#define UPC_AND (1 << 0)
#define UPC_OR (1 << 1)
#define UPC_XOR (1 << 2)
#define UPC_ADD (1 << 3)
#define UPC_SUB (1 << 4)
#define UPC_MULT (1 << 5)
#define UPC_MIN (1 << 6)
#define UPC_MAX (1 << 7)
#define UPC_INC (1 << 8)
#define UPC_DEC (1 << 9)
#define UPC_SET (1 << 16)
#define UPC_GET (1 << 17)
#define UPC_CSWAP (1 << 18)
#define UPC_LOGAND (1 << 17)
#define UPC_LOGOR (1 << 18)
#define UPC_FUNC (1 << 21)
#define UPC_NONCOMM_FUNC (1 << 22)

#endif
