import Foundation

/// `contender NAME WORK ORIGIN IN-FLIGHT SECONDS`: measures one client in this process and prints a line of JSON. See
/// `Benchmarks/driver/README.md`.
@main
struct Command {
    /// A failure is one line, which the driver puts into the report.
    static func main() async {
        do { try await run() } catch {
            FileHandle.standardError.write(Data("\(error)".replacingOccurrences(of: "\n", with: " ").utf8))
            exit(1)
        }
        exit(0)
    }

    private static func run() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 5, let contender = ContenderName(rawValue: arguments[0]), let work = Work(rawValue: arguments[1]),
            let origin = URL(string: arguments[2]), let inFlight = Int(arguments[3]), let seconds = Double(arguments[4])
        else {
            let names = ContenderName.allCases.map(\.rawValue).joined(separator: "|")
            let works = Work.allCases.map(\.rawValue).joined(separator: "|")
            print("usage: contender \(names) \(works) ORIGIN IN-FLIGHT SECONDS")
            exit(2)
        }
        let client = contender.make(origin: origin, inFlight: inFlight)
        let measured = try await Measurement(client: client, work: work, inFlight: inFlight).run(seconds: seconds)
        FileHandle.standardOutput.write(try JSONEncoder().encode(measured) + Data("\n".utf8))
    }
}

/// What one call does.
enum Work: String, CaseIterable {
    /// A GET of 1 KiB.
    case small = "1k"
    /// A GET of 100 KiB.
    case large = "100k"
    /// A GET of 6.9 KB of JSON, which typed clients decode.
    case json
    /// A GET of 1 GiB, read in chunks.
    case download = "1g"
    /// A POST of 1 MiB.
    case upload
    /// A GET that a cache may respond to after the first.
    case cached
    /// A GraphQL query.
    case graphql
    /// A stream of 200,000 server-sent events.
    case events
}
