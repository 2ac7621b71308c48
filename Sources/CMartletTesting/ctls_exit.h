// Keeps threads out of OpenSSL once the process exits.
#pragma once

#include <stdbool.h>

/// Surrounds each call of OpenSSL. Returns whether the lock was taken, for `ctls_leave`.
bool ctls_enter(void);
void ctls_leave(bool entered);

/// Has threads stand still at `ctls_enter` when the process exits. OpenSSL's own handler must have been registered before.
bool ctls_stand_still_at_exit(void);
