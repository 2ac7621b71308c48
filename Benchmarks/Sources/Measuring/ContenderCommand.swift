import Foundation

/// `PROGRAM NAME WORK ORIGIN IN-FLIGHT AMOUNT`: measures one client in this process and prints a line of JSON. See
/// `Benchmarks/driver/README.md`.
public enum ContenderCommand {
    /// Measures the client that the arguments name, and ends the process. A failure is one line, which the driver puts into the report.
    public static func run<Name>(_ make: @escaping @Sendable (Name, _ origin: URL) throws -> any Contender) -> Never
    where Name: RawRepresentable<String> & CaseIterable & Sendable {
        Task.detached { await measure(make) }
        // An asynchronous `main` exits the main thread, which valgrind does not support.
        while true { pause() }
    }

    private static func measure<Name>(_ make: @Sendable (Name, _ origin: URL) throws -> any Contender) async -> Never
    where Name: RawRepresentable<String> & CaseIterable {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            guard arguments.count == 5, let name = Name(rawValue: arguments[0]), let work = Work(rawValue: arguments[1]),
                let origin = URL(string: arguments[2]), let inFlight = Int(arguments[3]), let amount = Measurement.Amount(arguments[4])
            else {
                let names = Name.allCases.map(\.rawValue).joined(separator: "|"), works = Work.allCases.map(\.rawValue).joined(separator: "|")
                print("usage: \(CommandLine.arguments[0]) \(names) \(works) ORIGIN IN-FLIGHT SECONDS|CALLSx")
                exit(2)
            }
            let measurement = Measurement(client: try make(name, origin), work: work, inFlight: inFlight)
            FileHandle.standardOutput.write(try JSONEncoder().encode(try await measurement.run(amount)) + Data("\n".utf8))
        } catch {
            FileHandle.standardError.write(Data("\(error)".replacingOccurrences(of: "\n", with: " ").utf8))
            exit(1)
        }
        exit(0)
    }
}
