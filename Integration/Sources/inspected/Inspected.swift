import Foundation
import Martlet
import MartletInspector
import MartletTesting

/// An app for the checks of the inspector's page: it starts an `Inspector`, makes calls of each kind over a `MockTransport`, and goes on
/// while its standard input is open. The first line of its output is the page's address.
///
/// Usage: inspected [empty]. See Integration/inspector/README.md.
@main
enum Inspected {
    static func main() async throws {
        var options = Inspector.Options()
        options.appName = "shop"
        options.startsInReleaseBuilds = true
        let inspector = try await Inspector.start(options: options)
        // Written without buffering, so that the address appears immediately even in a pipe.
        FileHandle.standardOutput.write(Data("\(inspector.url)\n".utf8))
        let isEmpty = CommandLine.arguments.contains("empty")
        let calls = isEmpty ? nil : Task { try await ShopCalls(observer: inspector).run() }
        await untilInputEnds()
        calls?.cancel()
        await inspector.stop()
    }

    private static func untilInputEnds() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while readLine() != nil {}
                continuation.resume()
            }
        }
    }
}
