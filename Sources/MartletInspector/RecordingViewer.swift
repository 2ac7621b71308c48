public import MartletEssentials
internal import MartletMockServer

/// Shows a HAR file on the inspector's page: a recording of this package, of a browser or of a proxy.
///
/// ```swift
/// let viewer = try await RecordingViewer.open(URL(filePath: "calls.har"))
/// print("The recording is shown at \(viewer.url)")
/// ```
///
/// The page reads the file, which is served unchanged. It runs until ``stop()`` is called or the last reference is released.
public final class RecordingViewer: Sendable {
    /// The address of the page. Any program on this machine that knows it can read the recording.
    public let url: URL
    private let server: MockServer

    /// Reads a file and starts a server that shows it.
    ///
    /// - Throws: ``InspectorError/unreadable(_:)`` if the file can't be read, and ``InspectorError/notStarted(_:)`` if the process can't
    ///   have another socket or thread.
    public static func open(_ file: URL) async throws(InspectorError) -> RecordingViewer {
        let data = try await read(file)
        let site = InspectorSite(.recording(name: file.lastPathComponent, data), app: file.lastPathComponent, redaction: .standard)
        let (server, url) = try await site.start()
        return RecordingViewer(url: url, server: server)
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

    private init(url: URL, server: MockServer) {
        self.url = url
        self.server = server
    }

    /// Closes the port and all connections.
    public func stop() async { await server.stop() }
}
