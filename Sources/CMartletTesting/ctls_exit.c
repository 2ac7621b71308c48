#define _GNU_SOURCE
#include "ctls_exit.h"

#include <pthread.h>
#include <stdlib.h>

// Held for reading while OpenSSL is called, and for writing, for good, once the process exits.
#if defined(PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP)
// With glibc's usual kind, threads that take turns at reading could keep the exit waiting.
static pthread_rwlock_t exit_lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t exit_lock = PTHREAD_RWLOCK_INITIALIZER;
#endif

static void stand_still(void) { pthread_rwlock_wrlock(&exit_lock); }

// The thread that runs the exit holds the lock itself: it is told so (EDEADLK), and goes on.
bool ctls_enter(void) { return pthread_rwlock_rdlock(&exit_lock) == 0; }

void ctls_leave(bool entered) {
    if (entered) pthread_rwlock_unlock(&exit_lock);
}

bool ctls_stand_still_at_exit(void) { return atexit(stand_still) == 0; }
