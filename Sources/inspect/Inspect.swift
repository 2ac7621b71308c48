import Foundation
import MartletInspector

/// Shows a HAR file in a browser: `swift run inspect FILE.har`.
@main struct Inspect {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 1, let path = arguments.first, !path.hasPrefix("-") else {
            return fail("usage: inspect FILE.har", code: 2)
        }
        do {
            let inspector = try await Inspector.open(URL(fileURLWithPath: path))
            print("Open \(inspector.url) in a browser. Stop with Control-C.")
            fflush(nil)
            while true { try await Task.sleep(for: .seconds(3600)) }
        } catch { fail("\(error)", code: 1) }
    }

    private static func fail(_ text: String, code: Int32) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(code)
    }
}
