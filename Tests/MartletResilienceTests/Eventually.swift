import Testing

/// Lets other tasks run until a condition holds, at most for a minute.
func eventually(_ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
        try #require(ContinuousClock.now < end, "the condition did not become true")
        await Task.yield()
    }
}
