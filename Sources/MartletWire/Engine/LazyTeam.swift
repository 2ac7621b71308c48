internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// The engines of a transport, which the first request starts, and which end with the last reference.
final class LazyTeam: Sendable {
    private let configuration: TransportConfiguration
    private let lookUp: @Sendable (String) -> [String]
    /// Accessed only by the process that used the transport first.
    private let state = Locked<WireTeam?>(nil)
    private let user = FirstUser()

    init(_ configuration: TransportConfiguration, _ lookUp: @escaping @Sendable (String) -> [String]) {
        self.configuration = configuration
        self.lookUp = lookUp
    }

    deinit { made?.close() }

    /// The engines; nil before the first request, and in a forked child, where another thread may have held the lock during the fork.
    var made: WireTeam? {
        guard (try? user.check("")) != nil else { return nil }
        return state.withLock { $0 }
    }

    /// Returns the engines, and starts them when needed. Throws `.engineUnavailable` in a forked child.
    func team() throws(HTTPError) -> WireTeam {
        try user.check("this transport was used")
        let made: Result<WireTeam, HTTPError> = state.withLock { made in
            if let made { return .success(made) }
            do throws(HTTPError) {
                let new = try WireTeam(configuration, lookUp: lookUp)
                made = new
                return .success(new)
            } catch { return .failure(error) }
        }
        return try made.get()
    }
}
