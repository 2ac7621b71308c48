#if canImport(Network)
internal import Dispatch
internal import MartletSystem
internal import Network

/// The system's view of the network.
enum NetworkPath {
    /// The shortest wait, so that a network that is usable for the system only does not lead to a loop without pauses.
    private static let minWait = Duration.milliseconds(100)

    /// Waits until the system reports a usable network, or until the time is over.
    static func waitUntilUsable(atMost limit: Duration, time: any TimeSource) async throws(CancellationError) {
        try await time.sleep(for: min(minWait, limit))
        let isOver = OneShot<Bool>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in if path.status == .satisfied { isOver.set(true) } }
        monitor.start(queue: DispatchQueue(label: "martlet.network-path"))
        defer { monitor.cancel() }
        let timer = time.timer(at: time.instant + limit) { isOver.set(true) }
        defer { timer.cancel() }
        let isComplete = await withTaskCancellationHandler {
            await isOver.value()
        } onCancel: {
            isOver.set(false)
        }
        if !isComplete { throw CancellationError() }
    }
}
#endif
