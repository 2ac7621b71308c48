// System functions that engines need and that Swift cannot call in the same way on every system.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// A descriptor that a poller reports.
struct cengine_event {
    uint64_t token;
    /// Whether bytes, the end of the connection or an error can be read.
    bool can_read;
    bool can_write;
    /// Whether the other end has closed its side, or the connection has failed.
    bool has_ended;
};

/// Creates a poller of many descriptors. It is itself a close-on-exec descriptor that is readable while there are events. -1 on failure.
int cengine_make_poller(void);

/// Adds a descriptor, or changes what it is watched for. With `once`, each event is reported once when it occurs (edge-triggered).
bool cengine_poller_watch(int poller, int descriptor, uint64_t token, bool reads, bool writes, bool once);

/// Removes a descriptor, before it is closed.
void cengine_poller_forget(int poller, int descriptor);

/// Waits for events, at most so many milliseconds, or without a limit if negative. Returns their number.
int cengine_poller_take(int poller, struct cengine_event *events, int capacity, int milliseconds);

/// The engine whose thread is the calling one. NULL on other threads.
void *cengine_thread_engine(void);

/// Records the engine whose thread is the calling one.
void cengine_set_thread_engine(void *engine);

/// Stops the calling thread forever. Its locks and memory stay as they are.
_Noreturn void cengine_park_thread(void);

/// Calls `run` when the process exits, before anything that was registered earlier.
void cengine_at_exit(void (*run)(void));

/// Returns the number of forks between this process and the one that called `cengine_count_forks`. A child gets another number.
unsigned int cengine_forks(void);

/// Records the calling process in `user` if that is 0. Returns whether `user` now names the calling process. Takes no lock, so it is safe
/// in a forked child.
bool cengine_claim(unsigned int *user);

/// Records that this process has started an engine thread.
void cengine_note_engine(void);

/// Whether this process itself has started an engine thread. An engine thread of its parent does not count.
bool cengine_has_engine(void);

/// Starts counting forks. Call it once per process.
void cengine_count_forks(void);
