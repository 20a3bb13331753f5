/* The tool interface as Berkeley UPC's header has it: `va_list` is used, and its header not included. */
#ifndef GASP_H
#define GASP_H

#include "../common/gasp_interface.h"

#endif
