/* A recorded run for `tarry scaling` and `tarry history`. */
#ifndef TARRY_CLI_SCALING_INPUT_H
#define TARRY_CLI_SCALING_INPUT_H

#include "cli/trace_analysis.h"
#include "output/scaling/scaling.h"

/* Replays it on an ideal network. */
struct scaling_run scaling_run_of_trace(const struct trace_analysis *analysed,
                                        const struct trace_analysis_options *options, struct arena *arena);

#endif
