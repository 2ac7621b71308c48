internal import MartletResilience

/// The names of the keys of a ``RedisTrafficState``, and the words of its scripts.
///
/// - `1:r:GROUP`: the bucket of a rate.
/// - `1:p:GROUP`: exists while the server has asked for a pause.
/// - `1:c:GROUP`: a hash for a circuit.
///
/// Groups are digests, so that names are short and reveal no addresses.
struct TrafficLayout: Sendable {
    let prefix: String

    func bucket(_ group: String) -> String { "\(prefix)1:r:\(RedisLayout.digest(of: group))" }

    func pause(_ group: String) -> String { "\(prefix)1:p:\(RedisLayout.digest(of: group))" }

    func circuit(_ group: String) -> String { "\(prefix)1:c:\(RedisLayout.digest(of: group))" }

    /// Returns a step as a word of the script, and the number of its probe.
    static func words(for step: SharedCircuitStep) -> (word: String, probe: Int64) {
        switch step {
        case .look: ("look", 0)
        case .open: ("open", 0)
        case .claimProbe: ("claim", 0)
        case .succeed(let probe): ("succeed", probe)
        case .fail(let probe): ("fail", probe)
        case .release(let probe): ("release", probe)
        }
    }
}
