#include "check/known/report.h"

#include "calls/ids.h"

#include <stdarg.h>
#include <stdio.h>

void report_begin(struct report_draft *report, enum check check)
{
	memset(report, 0, sizeof *report);
	report->finding = (struct check_finding){
		.check = check, .times = 1, .calls = report->calls, .values = report->values};
}

void report_call(struct report_draft *report, const struct analysed_call *call, const char *note)
{
	report->calls[report->finding.call_count++] = call_to_show(call, note);
}

void report_process(struct report_draft *report, const struct analysed_process *process)
{
	report->calls[report->finding.call_count++] = (struct check_call){.world = process->world,
	                                                                  .rank = process->rank,
	                                                                  .function = CALL_Init,
	                                                                  .note = memory_copy_text(NOTE_HERE),
	                                                                  .arguments = memory_copy_text("")};
}

void report_value(struct report_draft *report, const char *name, const char *format, ...)
{
	char text[FINDING_TEXT_MAX];
	va_list values;

	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	report->values[report->finding.value_count++] = (struct check_value){name, memory_copy_text(text)};
}

void report_release(struct report_draft *report)
{
	for (uint32_t i = 0; i < report->finding.call_count; i++)
		call_release(&report->calls[i]);
	for (uint32_t i = 0; i < report->finding.value_count; i++)
		free((char *)report->values[i].text);
}

uint32_t report_end(struct report_draft *report, struct findings_log *log)
{
	uint32_t number = findings_log_add(log, &report->finding);

	report_release(report);
	return number;
}
