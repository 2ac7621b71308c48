#include "ctestsetup.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Without a limit all tests run concurrently and compete for a few threads, so each takes almost as long as all together: on two cores some
// exceed real timeouts of 60 seconds. Sixteen at a time take no longer in total, and each ends soon after it began.
__attribute__((constructor)) static void limit_parallel_tests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16", 0);
}

// To a pipe, the C library writes 4,096 bytes at a time. If a process hangs or is killed, the names of its last tests would be missing.
__attribute__((constructor)) static void print_each_line(void) { setvbuf(stdout, NULL, _IOLBF, BUFSIZ); }

// The parent of this process at its start: `swift test`, a shell, or the test that runs an exit test.
static pid_t parent;

// A process whose parent has ended gets a new parent. Polling for that works on every system, with any number of processes up to the
// terminal. PR_SET_PDEATHSIG would also fire when only the thread ends that started this process.
static void *end_with_parent(void *unused) {
    (void)unused;
    while (getppid() == parent) sleep(1);
    static const char why[] = "The process that runs these tests has ended: they end too.\n";
    (void)!write(STDERR_FILENO, why, sizeof why - 1);
    _exit(EXIT_FAILURE);
}

// Without it, hanging tests would run forever and keep their cores busy after their `swift test` was killed.
__attribute__((constructor)) static void start_watching_parent(void) {
    parent = getppid();
    sigset_t all, before;
    sigfillset(&all);
    // Faults of this thread must be reported.
    const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) sigdelset(&all, faults[index]);
    // All other signals belong to the tests: this thread blocks them.
    if (pthread_sigmask(SIG_BLOCK, &all, &before) != 0) return;
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_with_parent, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
