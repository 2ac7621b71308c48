#pragma once

/// Accepts a connection. The descriptor is non-blocking and close-on-exec. Returns -1 with `errno` set if no connection is pending.
int csocket_accept(int listener);
