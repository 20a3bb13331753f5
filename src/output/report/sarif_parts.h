/* Pieces of SARIF: messages, places in the source, and the calls that led to something. */
#ifndef TARRY_OUTPUT_REPORT_SARIF_PARTS_H
#define TARRY_OUTPUT_REPORT_SARIF_PARTS_H

#include "base/json.h"
#include "output/report/report.h"

void sarif_message(struct json *json, const char *key, const char *text);

/* `id`: 0 if nobody refers to it. */
void sarif_location(struct json *json, const char *key, const struct report *report, const struct spot *spot,
                    int64_t id, const char *message);

/* What relative places are relative to. */
void sarif_root(struct json *json, const struct report *report);

/* The calls of the worst instance, as steps that a viewer can follow. */
void sarif_flow(struct json *json, struct report *report, const struct finding *worst);

#endif
