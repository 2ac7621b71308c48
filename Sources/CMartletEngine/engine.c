#include "cengine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local void *thread_engine;

void *cengine_thread_engine(void) { return thread_engine; }

void cengine_set_thread_engine(void *engine) { thread_engine = engine; }

_Noreturn void cengine_park_thread(void) {
    for (;;) pause();
}

void cengine_at_exit(void (*run)(void)) { atexit(run); }

static _Atomic unsigned int forks;

static void count_fork(void) { atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed); }

unsigned int cengine_forks(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

bool cengine_claim(unsigned int *user) {
    unsigned int mine = cengine_forks() + 1, noted = __atomic_load_n(user, __ATOMIC_RELAXED);
    // A read suffices for all calls but the first, and does not take the memory from other processors.
    if (noted != 0) return noted == mine;
    return __atomic_compare_exchange_n(user, &noted, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || noted == mine;
}

/// The process of the last engine: its number of forks plus one. Zero if no engine was started.
static _Atomic unsigned int engine_process;

void cengine_note_engine(void) { atomic_store_explicit(&engine_process, cengine_forks() + 1, memory_order_relaxed); }

bool cengine_has_engine(void) { return atomic_load_explicit(&engine_process, memory_order_relaxed) == cengine_forks() + 1; }

void cengine_count_forks(void) { pthread_atfork(NULL, NULL, count_fork); }
