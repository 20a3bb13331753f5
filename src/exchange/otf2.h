/* The Open Trace Format 2, in which tools of this field exchange traces. docs/exchange.md says which record
 * becomes which. */
#ifndef TARRY_EXCHANGE_OTF2_H
#define TARRY_EXCHANGE_OTF2_H

#include "exchange/export.h"

/* Makes the folder job->path with the archive "traces.otf2" in it, whole or not at all. */
enum status otf2_export(const struct export_job *job) MUST_CHECK;

#endif
