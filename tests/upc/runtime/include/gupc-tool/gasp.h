/* The tool interface as GNU UPC's header has it. */
#ifndef GASP_H
#define GASP_H

#include <stdarg.h>

#include "../common/gasp_interface.h"

#endif
