"""What else the machine does, from the kernel's count of its processors' time. Unknown, and taken for idle, where there is no such count."""

import time


def counters():
    """The times of all processors: of everything, of what was not idle, and what other machines took."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, idle, waiting, hard, soft, stolen = map(int, file.readline().split()[1:9])
    except (OSError, ValueError):
        return 0, 0, 0
    busy = user + nice + system + hard + soft + stolen
    return busy + idle + waiting, busy, stolen


def busy_share(seconds=0.5):
    """The share that others use while the benchmark waits."""
    before = counters()
    time.sleep(seconds)
    total, busy, _ = (now - then for now, then in zip(counters(), before))
    return busy / total if total else 0


def wait_until_idle(share, tries=20):
    """Waits until others use no more than this share, for ten seconds at most. Returns what they use."""
    for _ in range(tries):
        used = busy_share()
        if used <= share:
            break
    return used


def stolen_share(since):
    """The share that other machines took since these counters."""
    total, _, stolen = (now - then for now, then in zip(counters(), since))
    return stolen / total if total else 0
