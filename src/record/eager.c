#include "record/eager.h"

void eager_find(void)
{
}
