#ifndef CTESTSETUP_H
#define CTESTSETUP_H

// There is nothing to call: the constructors of this library run before the tests begin.

#endif
