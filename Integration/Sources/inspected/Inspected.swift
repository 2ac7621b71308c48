import Foundation
import Martlet
import MartletInspector
import MartletTesting

/// An app for the checks of the inspector's page: it starts an `Inspector`, makes calls of each kind over a `MockTransport`, and goes on
/// while its standard input is open. The first line of its output is the page's address.
///
/// Usage: inspected [empty | FILE.har]. With a file it shows the recording. See Integration/inspector/README.md.
@main
enum Inspected {
    static func main() async throws {
        if let file = CommandLine.arguments.last, file.hasSuffix(".har") {
            let recording = try await Inspector.open(URL(filePath: file))
            show(recording.url)
            await untilInputEnds()
            return await recording.stop()
        }
        let inspector = try await Inspector.start(appName: "shop", startsInReleaseBuilds: true)
        show(inspector.url)
        let isEmpty = CommandLine.arguments.contains("empty")
        let calls = isEmpty ? nil : Task { try await ShopCalls(observer: inspector).run() }
        await untilInputEnds()
        calls?.cancel()
        await inspector.stop()
    }

    /// Writes without buffering, so that the address appears immediately even in a pipe.
    private static func show(_ address: URL) { FileHandle.standardOutput.write(Data("\(address)\n".utf8)) }

    private static func untilInputEnds() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while readLine() != nil {}
                continuation.resume()
            }
        }
    }
}
