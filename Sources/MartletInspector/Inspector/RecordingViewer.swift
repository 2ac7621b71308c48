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
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            let isMissing = !FileManager.default.fileExists(atPath: file.path)
            throw .unreadable("\(file.path) " + (isMissing ? "does not exist" : "can't be read: \(error)"))
        }
        let site = InspectorSite(.recording(name: file.lastPathComponent, data), app: file.lastPathComponent, redaction: .standard)
        let (server, url) = try await site.start()
        return RecordingViewer(url: url, server: server)
    }

    private init(url: URL, server: MockServer) {
        self.url = url
        self.server = server
    }

    /// Closes the port and all connections.
    public func stop() async { await server.stop() }
}
