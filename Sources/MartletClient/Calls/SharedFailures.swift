/// The failures of others' exchanges that a request has waited for, and whether it waits for another one. A pure value.
///
/// Some failures depend on the deadline or on a limit of the request that began the exchange. The requests that waited then share a further
/// exchange. If such failures repeat, the server is overloaded, and it must not get the requests of all that wait, so these fail as well.
package struct SharedFailures: Sendable, Hashable {
    /// The maximum number of exchanges that a request waits for if each fails.
    package static let maxCount = 8
    private var count = 0

    /// Creates a value without failures.
    package init() {}

    /// Whether a failure depends on the request that began the exchange.
    package static func concernsOnlyFirst(_ error: HTTPError) -> Bool {
        switch error {
        case .timeout, .cancelled, .limitExceeded: true
        default: false
        }
    }

    /// Records a failure. Returns whether the request shares another exchange; otherwise the failure is its own.
    package mutating func permitAnother(after error: HTTPError) -> Bool {
        guard SharedFailures.concernsOnlyFirst(error) else { return false }
        count += 1
        return count < SharedFailures.maxCount
    }
}
