/* The relation `file_use`, at the end of a replay. */
#ifndef TARRY_ANALYSIS_MODEL_FILE_ROWS_H
#define TARRY_ANALYSIS_MODEL_FILE_ROWS_H

#include "analysis/model/operation.h"

void file_rows_write(struct replay *replay);

#endif
