internal import MartletSystem
internal import MartletTesting

/// Counts events of many tasks.
package final class Count: Sendable {
    private let recorder = Recorder<Int>()
    private let last = Locked(0)

    package init() {}

    package var value: Int { recorder.values.count }

    /// Increments the count and returns the new one, which no other call gets.
    @discardableResult
    package func increment() -> Int {
        let number = last.withLock { last in
            last += 1
            return last
        }
        recorder.append(number)
        return number
    }

    /// Waits until the count is at least `count`.
    package func reach(_ count: Int) async throws { _ = try await recorder.first(count) }
}

/// Holds all tasks that arrive until it is opened.
package final class Barrier: Sendable {
    private let opening = OneShot<Void>()
    package let arrivals = Count()

    package init() {}

    package func pass() async {
        arrivals.increment()
        await opening.value()
    }

    package func open() { opening.set(()) }
}
