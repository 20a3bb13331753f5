/* Atomic operations: functions in both runtimes that are not reported to tools. */
#ifndef UPC_ATOMIC_H
#define UPC_ATOMIC_H

#include <upc.h>

#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2

upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hint);
void upc_all_atomicdomain_free(upc_atomicdomain_t *domain);
void upc_atomic_strict(upc_atomicdomain_t *domain, void *fetched, upc_op_t op, shared void *target,
                       const void *operand1, const void *operand2);
void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *fetched, upc_op_t op, shared void *target,
                        const void *operand1, const void *operand2);

#endif
