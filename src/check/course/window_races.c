#include "check/course/window_races.h"
