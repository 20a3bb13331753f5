#include "check/known/report.h"

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

uint32_t report_finding(struct findings_log *log, enum check check, uint64_t times,
                        const struct reported_call *calls, const char *format, ...)
{
	char text[FINDING_TEXT_MAX], *save = NULL;
	struct report_draft report;
	va_list values;

	report_begin(&report, check);
	report.finding.times = times;
	for (; calls->note; calls++)
		if (calls->call)
			report_call(&report, calls->call, calls->note);
	va_start(values, format);
	vsnprintf(text, sizeof text, format ? format : "", values);
	va_end(values);
	for (char *value = strtok_r(text, AND, &save); value; value = strtok_r(NULL, AND, &save)) {
		char *equals = strchr(value, '=');
		if (!equals)
			continue;
		*equals = '\0';
		report_value(&report, value, "%s", equals + 1);
	}
	return report_end(&report, log);
}
