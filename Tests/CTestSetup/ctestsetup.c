#include "ctestsetup.h"

#include <stdlib.h>

// With every test under way at once, each waits for the few threads there are as long as all of them take together: those that run into a real
// time-out of 60 seconds fail on two cores. Sixteen at a time take no longer in all, and each ends soon after it has begun.
__attribute__((constructor)) static void limit_parallel_tests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16", 0);
}
