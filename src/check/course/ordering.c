#include "check/course/ordering.h"
