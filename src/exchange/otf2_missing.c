/* Stands in for otf2_*.c where the library was missing when Tarry was built. */
#include "exchange/otf2.h"

enum status otf2_export(const struct export_job *job)
{
	return fail(
		"cannot write '%s': this tarry was built without OTF2; install libotf2-trace-dev and build again",
		job->path);
}
