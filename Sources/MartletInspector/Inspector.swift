public import MartletEssentials
internal import MartletMockServer
internal import MartletSystem

/// Shows the calls of an app under development on a page in a browser on the same machine, while they happen.
///
/// ```swift
/// let inspector = try await Inspector.start()
/// print("The calls are shown at \(inspector.url)")
/// let client = HTTPClient(baseURL: url, transport: transport, observers: [inspector])
/// ```
///
/// The page is served on a random port of 127.0.0.1, below a random token. Requests without the token, of other origins and for other
/// hosts are refused, so that no other page can read the calls. Everything the page needs is in the library; it opens no other connection.
///
/// Secrets are masked before they are sent to the page: see `CassetteRedaction`. Memory is bounded: beyond `maxCalls` or `maxBytes`,
/// the oldest calls are removed, those that have ended first. So are connections: beyond `maxConnections`, the one that has waited longest
/// for its browser is closed for a new one. The inspector starts in debug builds only, unless `startsInReleaseBuilds` is set.
///
/// The server runs until ``stop()`` is called or the last reference to the inspector is released.
public final class Inspector: CallObserver {
    /// The address of the page. Whoever knows it can read the calls.
    public let url: URL
    private let content: Content
    private let server: MockServer

    /// What the page shows.
    private enum Content {
        case calls(CallLog, CassetteRedaction)
        case recording(Data)
    }

    /// Starts an inspector on a free port.
    ///
    /// - Parameters:
    ///   - appName: The name of the app on the page. Default: the name of the process.
    ///   - maxCalls: The maximum number of calls. Default: 500.
    ///   - maxBytes: The maximum number of bytes that the calls take in memory, approximately. Default: 20 MB (20,000,000).
    ///   - maxBodyBytes: The maximum number of bytes that are kept of each body and each message of a WebSocket; the rest is
    ///     not shown. Default: 1 MB (1,000,000).
    ///   - maxConnections: The maximum number of connections to the page, at least 1. A page that shows live calls keeps one of its own; if
    ///     all are such, a further one is refused. Default: 32.
    ///   - idleTimeout: The maximum time for which a connection waits for a whole request, or for its browser to read: from 1 second to a
    ///     day. Default: 60 seconds.
    ///   - redaction: The rules by which secrets are masked. Default: known secrets and values with secret names.
    ///   - startsInReleaseBuilds: Whether the inspector starts in a release build too. Default: false.
    /// - Throws: ``InspectorError/releaseBuild`` in a release build, unless it is allowed, and ``InspectorError/notStarted(_:)`` if the
    ///   process can't have another socket or thread.
    public static func start(
        appName: String = ProcessInfo.processInfo.processName, maxCalls: Int = 500, maxBytes: Int = 20_000_000,
        maxBodyBytes: Int = 1_000_000, maxConnections: Int = 32, idleTimeout: Duration = .seconds(60),
        redaction: CassetteRedaction = .standard, startsInReleaseBuilds: Bool = false
    ) async throws(InspectorError) -> Inspector {
        guard startsInReleaseBuilds || isDebugBuild else { throw .releaseBuild }
        let log = CallLog(limits: .init(calls: maxCalls, bytes: maxBytes, bodyBytes: maxBodyBytes), makeParser: { StreamEvents() })
        let site = InspectorSite(.live(log), app: appName, redaction: redaction)
        let (server, url) = try await site.start(limits: ConnectionLimits(maxConnections: maxConnections, idleTimeout: idleTimeout))
        return Inspector(url: url, content: .calls(log, redaction), server: server)
    }

    /// Starts an inspector that shows a HAR file on its page: a recording of this package, of a browser or of a proxy. As an
    /// observer, it ignores all calls.
    ///
    /// ```swift
    /// let inspector = try await Inspector.open(URL(filePath: "calls.har"))
    /// print("The recording is shown at \(inspector.url)")
    /// ```
    ///
    /// The page reads the file, which is served unchanged. It is shown in release builds too. Any program on this machine that knows the
    /// address can read the recording.
    ///
    /// - Parameters:
    ///   - recording: The file.
    ///   - maxConnections: The maximum number of connections to the page, at least 1. Default: 32.
    ///   - idleTimeout: The maximum time for which a connection waits for a whole request, or for its browser to read: from 1 second to a
    ///     day. Default: 60 seconds.
    /// - Throws: ``InspectorError/unreadable(_:)`` if the file can't be read, and ``InspectorError/notStarted(_:)`` if the process can't
    ///   have another socket or thread.
    public static func open(
        _ recording: URL, maxConnections: Int = 32, idleTimeout: Duration = .seconds(60)
    ) async throws(InspectorError) -> Inspector {
        let name = recording.lastPathComponent, data = try await read(recording)
        let site = InspectorSite(.recording(name: name, data), app: name, redaction: .standard)
        let (server, url) = try await site.start(limits: ConnectionLimits(maxConnections: maxConnections, idleTimeout: idleTimeout))
        return Inspector(url: url, content: .recording(data), server: server)
    }

    /// Reads a file on a lane, because its file system may hang.
    private static func read(_ file: URL) async throws(InspectorError) -> Data {
        let result: Result<Data, InspectorError>
        do throws(HTTPError) {
            result = try await FileLanes.shared.run {
                do { return .success(try Data(contentsOf: file)) } catch {
                    let isMissing = !FileManager.default.fileExists(atPath: file.path)
                    return .failure(.unreadable("\(file.path) " + (isMissing ? "does not exist" : "can't be read: \(error)")))
                }
            }
        } catch { throw .unreadable("\(file.path) can't be read: \(error)") }
        return try result.get()
    }

    private init(url: URL, content: Content, server: MockServer) {
        self.url = url
        self.content = content
        self.server = server
    }

    /// Records an event of a call. An inspector of a recording ignores it.
    public func observe(_ event: CallEvent, of call: CallInfo) {
        if case .calls(let log, _) = content { log.add(event, of: call) }
    }

    /// Removes the calls that have ended. A recording stays as it is.
    public func clear() {
        if case .calls(let log, _) = content { log.clear() }
    }

    /// Returns the calls as HAR 1.2, including those that are still running, or the unchanged recording.
    public func har() -> Data {
        switch content {
        case .calls(let log, let redaction): log.har(redaction: redaction)
        case .recording(let data): data
        }
    }

    /// Closes the port and all connections to the page. Calls are still recorded.
    public func stop() async { await server.stop() }

    #if DEBUG
    private static let isDebugBuild = true
    #else
    private static let isDebugBuild = false
    #endif
}

/// The error of an inspector that was not started.
@nonexhaustive public enum InspectorError: Error, Sendable, Hashable {
    /// The app is a release build, and `startsInReleaseBuilds` is false.
    case releaseBuild
    /// The server of the page could not be started.
    case notStarted(String)
    /// The recording can't be read.
    case unreadable(String)
}

extension InspectorError: LocalizedError, CustomStringConvertible {
    /// The same text as `description`, because its readers are developers.
    public var errorDescription: String? { description }

    /// What is wrong, for developers.
    public var description: String {
        switch self {
        case .releaseBuild: "the inspector starts in debug builds only, unless startsInReleaseBuilds is true"
        case .notStarted(let text): "the inspector could not be started: \(text)"
        case .unreadable(let text): text
        }
    }
}
