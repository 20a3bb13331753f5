/* A trace for the Perfetto UI, in Perfetto's own format: a sequence of TracePackets as protocol buffers. A process is
 * one there too, a call is a slice on its thread's track, and a message is a flow from the call that sent it to the
 * moment at which it was received. */
#ifndef TARRY_OUTPUT_EXCHANGE_PERFETTO_H
#define TARRY_OUTPUT_EXCHANGE_PERFETTO_H

#include "output/exchange/export.h"

/* Makes the file job->path. Memory is that of a replay (model/replay.h) and of the distinct calls. */
enum status perfetto_export(const struct export_job *job) MUST_CHECK;

#endif
