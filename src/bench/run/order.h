/* Whether a reduction algorithm combines contributions in rank order. It must for non-commutative
 * operations. A tuning file that cannot distinguish them would change the results of programs. */
#ifndef TARRY_BENCH_RUN_ORDER_H
#define TARRY_BENCH_RUN_ORDER_H

#include "bench/run/trial.h"

/* Runs the trial's operation once with a non-commutative reduction. The result is local. */
enum status order_check(struct trial *trial) MUST_CHECK;

#endif
