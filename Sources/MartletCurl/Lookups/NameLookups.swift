internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// Looks up names for the engine on separate threads, where libcurl's own lookups could block it (``ResolverTraits/canBlock``).
///
/// Only the engine's thread accesses it. A lookup's thread posts its result to the inbox. A lookup cannot be cancelled: without waiters it
/// still occupies one of `maxRunning` places until it ends.
final class NameLookups {
    /// Returns the addresses of a name, or an empty list. May block.
    typealias LookUp = @Sendable (_ name: String) -> [String]

    /// The system's lookup, without link-local addresses with a zone, which libcurl does not accept.
    static let system: LookUp = { name in
        (SystemResolver.addresses(of: name) ?? []).filter { !$0.isEmpty && !$0.contains("%") }
    }

    private let lookUp: LookUp
    private let inbox: EngineInbox
    private let version: CurlVersion
    private let timeout: Duration
    private var table = LookupTable<CurlTransfer>(maxRunning: 16)
    private var timeouts = TimerQueue()

    init(inbox: EngineInbox, version: CurlVersion, timeout: Duration, lookUp: @escaping LookUp) {
        self.lookUp = lookUp
        self.inbox = inbox
        self.version = version
        self.timeout = timeout
    }

    /// Whether a transfer must wait for an address. Requests the lookup if it must.
    func holds(_ transfer: CurlTransfer) -> Bool {
        while let target = transfer.lookups.targets.first {
            let began = transfer.lookups.begin(at: .now)
            guard case .known(let addresses) = table.ask(target.host, for: transfer, at: .now) else {
                // The names of a transfer have one time limit together.
                if transfer.lookups.timeout == nil {
                    let limit = LookupTimeout(transfer)
                    transfer.lookups.timeout = limit
                    timeouts.insert(limit, due: began + timeout)
                }
                startNext()
                return true
            }
            startNext()
            transfer.lookups.take(addresses, version: version, at: .now)
        }
        endTimeout(of: transfer)
        return false
    }

    /// Records the end of a lookup. Returns the transfers that waited for it, each with an error if the name has no address.
    func complete(_ name: String, _ addresses: [String]) -> [(CurlTransfer, HTTPError?)] {
        let (waiters, addresses) = table.complete(name, addresses, at: .now)
        startNext()
        return waiters.map { transfer in
            guard addresses.isEmpty else {
                transfer.lookups.take(addresses, version: version, at: .now)
                return (transfer, nil)
            }
            endTimeout(of: transfer)
            return (transfer, transfer.lookups.unknownHost(over: transfer.outgoing.route))
        }
    }

    /// Removes a transfer that ended while it waited.
    func abandon(_ transfer: CurlTransfer) {
        guard let target = transfer.lookups.targets.first else { return }
        endTimeout(of: transfer)
        table.abandon(transfer, of: target.host)
    }

    var nextDue: ContinuousClock.Instant? { timeouts.nextDue }

    /// Removes and returns the transfers whose names were not found within the connect timeout.
    func takeExpired(at now: ContinuousClock.Instant) -> [CurlTransfer] {
        timeouts.removeDue(at: now).compactMap { limit in
            let transfer = (limit as? LookupTimeout)?.transfer
            transfer?.lookups.timeout = nil
            return transfer
        }
    }

    private func endTimeout(of transfer: CurlTransfer) {
        guard let limit = transfer.lookups.timeout else { return }
        timeouts.remove(limit)
        transfer.lookups.timeout = nil
    }

    private func startNext() {
        while let name = table.startNext() {
            do throws(SystemFailure) {
                try BackgroundThread.start(name: "martlet.lookup") { [lookUp, inbox] in inbox.post(.lookedUp(name, lookUp(name))) }
            } catch { inbox.post(.lookedUp(name, [])) }
        }
    }
}

/// The time limit of a transfer's lookups, beside the transfer's own deadline in the engine's queue.
final class LookupTimeout: QueuedTimer {
    let transfer: CurlTransfer
    var place = -1

    init(_ transfer: CurlTransfer) { self.transfer = transfer }
}
