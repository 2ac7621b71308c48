internal import MartletCore

/// Looks names up for the engine on threads of their own, where libcurl's own lookups could stop it (``ResolverTraits/canBlock``).
///
/// Only the engine's thread touches it; a lookup's thread posts its result to the inbox. A lookup cannot be stopped: one that nobody waits
/// for any more ends by itself, and occupies one of `maxRunning` places until then.
final class NameLookups {
    /// The addresses of a name, none if it has none. It may block.
    typealias LookUp = @Sendable (_ name: String) -> [String]

    /// The system's lookup, without the addresses that libcurl cannot be given: those of one link only.
    static let system: LookUp = { name in
        (SystemResolver.addresses(of: name) ?? []).filter { !$0.isEmpty && !$0.contains("%") }
    }

    private let lookUp: LookUp
    private let inbox: EngineInbox
    private let version: CurlVersion
    private let timeout: Duration
    private var table = LookupTable<Transfer>(maxRunning: 16)
    private var timeouts = TimerQueue<Transfer>()

    init(inbox: EngineInbox, version: CurlVersion, timeout: Duration, lookUp: @escaping LookUp) {
        self.lookUp = lookUp
        self.inbox = inbox
        self.version = version
        self.timeout = timeout
    }

    /// Whether a transfer has to wait for an address; otherwise it has all that it needs.
    func holds(_ transfer: Transfer) -> Bool {
        while let target = transfer.lookups.first {
            let began = transfer.lookupStart ?? .now
            transfer.lookupStart = began
            guard case .known(let addresses) = table.ask(target.host, for: transfer, at: .now) else {
                timeouts.remove(transfer)
                timeouts.insert(transfer, due: began + timeout)
                startNext()
                return true
            }
            startNext()
            transfer.takeAddresses(addresses, version: version)
        }
        timeouts.remove(transfer)
        return false
    }

    /// A lookup has ended. Returns the transfers that waited for it, each with the addresses or, for a name without any, the error.
    func land(_ name: String, _ addresses: [String]) -> [(Transfer, HTTPError?)] {
        let (waiters, addresses) = table.land(name, addresses, at: .now)
        startNext()
        return waiters.map { transfer in
            guard addresses.isEmpty else {
                transfer.takeAddresses(addresses, version: version)
                return (transfer, nil)
            }
            timeouts.remove(transfer)
            return (transfer, transfer.unknownHost)
        }
    }

    /// A transfer has ended while it waited.
    func abandon(_ transfer: Transfer) {
        guard let target = transfer.lookups.first else { return }
        timeouts.remove(transfer)
        table.abandon(transfer, of: target.host)
    }

    var nextDue: ContinuousClock.Instant? { timeouts.nextDue }

    /// The transfers whose names have not been found within the time for connecting.
    func takeExpired(at now: ContinuousClock.Instant) -> [Transfer] { timeouts.removeDue(at: now) }

    private func startNext() {
        while let name = table.startNext() {
            do throws(SystemFailure) {
                try BackgroundThread.start(name: "martlet.lookup") { [lookUp, inbox] in inbox.post(.lookedUp(name, lookUp(name))) }
            } catch { inbox.post(.lookedUp(name, [])) }
        }
    }
}
