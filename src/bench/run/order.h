/* Does an algorithm for reductions combine what processes give in the order of their ranks? It must where the operation does not commute,
 * and a tuning file that cannot tell these from others would otherwise make programs compute something else. */
#ifndef TARRY_BENCH_RUN_ORDER_H
#define TARRY_BENCH_RUN_ORDER_H

#include "bench/run/trial.h"

/* Runs the trial's operation once with a reduction that does not commute. What it says is this process's own. */
enum status order_check(struct trial *trial) MUST_CHECK;

#endif
