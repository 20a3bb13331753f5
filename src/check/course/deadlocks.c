#include "check/course/deadlocks.h"
