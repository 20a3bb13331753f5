/* Replaces the other otf2_*.c if the library was missing when Tarry was built. */
#include "output/exchange/exchange.h"

enum status otf2_export(const struct export_job *job)
{
	return fail(
		"cannot write '%s': this tarry was built without OTF2; install libotf2-trace-dev and build again",
		job->path);
}

enum status otf2_import(const struct import_job *job, struct import_report *report)
{
	(void)report;
	return fail(
		"cannot read '%s': this tarry was built without OTF2; install libotf2-trace-dev and build again",
		job->path);
}

void import_report_release(struct import_report *report)
{
	(void)report;
}
