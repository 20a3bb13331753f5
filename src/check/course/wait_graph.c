#include "check/course/wait_graph.h"
