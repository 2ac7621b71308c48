#ifndef CTESTSETUP_H
#define CTESTSETUP_H

// Nothing to call: what this does is done before the tests begin.

#endif
