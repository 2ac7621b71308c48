// Keeps threads out of OpenSSL while the process exits.
#pragma once

#include <stdbool.h>

/// Call before each OpenSSL call. Returns whether the lock was taken; pass the result to `ctls_leave`.
bool ctls_enter(void);
void ctls_leave(bool entered);

/// Makes threads block in `ctls_enter` when the process exits. Call it after OpenSSL has registered its own exit handler.
bool ctls_stand_still_at_exit(void);
