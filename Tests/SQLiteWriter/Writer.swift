import Foundation
import MartletCache
import MartletSQLite

/// Writes responses to a store until it is killed or has written a given number. Prints `.` for each piece that the store accepted, and the
/// number of each stored response.
///
/// Arguments: the file, a name, the number of responses.
@main
struct Writer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else { return }
        var limits = SQLiteCacheStore.Limits()
        limits.busyTimeout = .seconds(20)
        limits.inlineBytes = 4000
        limits.chunkBytes = 8000
        let store = SQLiteCacheStore(at: URL(fileURLWithPath: arguments[1]), capacity: 1_500_000, limits: limits) { event in
            say("!\(event)\n")
        }
        for number in 0..<count {
            let response = Written.response(number, by: arguments[2])
            guard let writer = try await store.writer(for: response, length: nil) else { continue }
            var rest = Written.body(of: response.id)[...]
            while !rest.isEmpty {
                _ = try await writer.write(Data(rest.prefix(6000)))
                rest = rest.dropFirst(6000)
                say(".")
            }
            try await writer.finish()
            say("\(number)\n")
        }
        await store.close()
    }

    private static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
