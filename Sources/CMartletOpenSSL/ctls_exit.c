#define _GNU_SOURCE
#include "ctls_exit.h"

#include <pthread.h>
#include <stdlib.h>

// Locked for reading during each OpenSSL call, and for writing permanently once the process exits.
#if defined(PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP)
// With glibc's default kind, overlapping readers could delay the exit forever.
static pthread_rwlock_t exit_lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t exit_lock = PTHREAD_RWLOCK_INITIALIZER;
#endif

static void stand_still(void) { pthread_rwlock_wrlock(&exit_lock); }

// The thread that runs the exit handlers holds the write lock. Its attempt to lock fails (EDEADLK) and it continues.
bool ctls_enter(void) { return pthread_rwlock_rdlock(&exit_lock) == 0; }

void ctls_leave(bool entered) {
    if (entered) pthread_rwlock_unlock(&exit_lock);
}

bool ctls_stand_still_at_exit(void) { return atexit(stand_still) == 0; }
