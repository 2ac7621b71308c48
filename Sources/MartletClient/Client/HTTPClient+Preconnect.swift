public import MartletEssentials

extension HTTPClient {
    /// Opens a connection to the origin of `url`, or of the client's base URL, ahead of the first call. See
    /// ``EndpointClient/preconnect(to:)``.
    @concurrent public func preconnect(to url: URL?) async throws(HTTPError) {
        guard settings.components.transport.opensConnections else { return }
        guard let origin = url.map(Origin.init) ?? settings.base?.origin, let root = URL(string: "\(origin)/") else {
            let target = url.map { "the URL has no host: \(Redaction.url($0))" }
            throw .invalidURL(Explanation(target ?? "the client has no base URL to connect to"))
        }
        do throws(HTTPError) {
            _ = try await connecting.response(
                for: Request<EmptyResponse>.options(url: root).validating(.none),
                options: CallOptions(limits: ResponseLimits(bodyBytes: 64 * 1024), redirects: .none))
        } catch {
            // The server has responded, so it can be reached. Only its connection can't be used again.
            if case .responseTooLarge = error { return }
            throw error
        }
    }

    /// The client that opens connections: without observers, and with only those interceptors that decide which addresses may be reached.
    private var connecting: HTTPClient {
        with {
            $0.interceptors = $0.interceptors.filter { $0 is any ConnectionGuard }
            $0.observers = []
            $0.configuration.headers = [:]
        }
    }
}

extension EndpointClient {
    /// Opens a connection to the client's base URL ahead of the first call. See ``preconnect(to:)``.
    ///
    /// ```swift
    /// try? await client.preconnect()  // while the launch screen is visible
    /// ```
    @concurrent public func preconnect() async throws(Failure) { try await preconnect(to: nil) }
}
