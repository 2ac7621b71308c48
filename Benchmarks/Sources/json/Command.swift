import Foundation
import Martlet
import Measuring
import Workloads

/// `json times`, `json count PAYLOAD decode|encode martlet|foundation TIMES`, `json memory PAYLOAD martlet|foundation`, `json calls URL
/// REQUESTS`: see `scripts/json`.
@main
struct Command {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "times": try times()
        case "count": try count(arguments)
        case "memory": try memory(arguments)
        case "calls" where arguments.count > 2: try await calls(arguments[1], Int(arguments[2]) ?? 10_000)
        case "file" where arguments.count > 1: try Comparison.all()[0].json.write(to: URL(fileURLWithPath: arguments[1]))
        default: print("json times | count PAYLOAD decode|encode CODER TIMES | memory PAYLOAD CODER | calls URL REQUESTS | file PATH")
        }
    }

    private static func times() throws {
        print("payload          bytes   decode [least–most]   MB/s   encode [least–most]   MB/s")
        for comparison in try Comparison.all() {
            let decode = try comparison.ratios(comparison.decode, rounds: 11), encode = try comparison.ratios(comparison.encode, rounds: 11)
            let columns = [decode, encode].map { result in
                String(
                    format: "%5.1f [%4.1f–%4.1f]   %6.0f", result.ratios[result.ratios.count / 2], result.ratios.first ?? 0,
                    result.ratios.last ?? 0, result.speed)
            }
            let name = comparison.name.padding(toLength: 12, withPad: " ", startingAt: 0)
            print("\(name) \(String(format: "%9d", comparison.json.count))   \(columns.joined(separator: "   "))")
        }
    }

    private static func chosen(_ name: String) throws -> Comparison {
        guard let comparison = try Comparison.all().first(where: { $0.name == name }) else { throw CocoaError(.featureUnsupported) }
        return comparison
    }

    /// Decodes or encodes a number of times, for callgrind. The difference between two runs is the cost of the additional repetitions.
    private static func count(_ arguments: [String]) throws {
        guard arguments.count == 5, let coder = Comparison.Coder(rawValue: arguments[3]), let times = Int(arguments[4]) else { return }
        let comparison = try chosen(arguments[1])
        let work = arguments[2] == "encode" ? comparison.encode : comparison.decode
        for _ in 0..<times { try work[coder]?() }
        print(comparison.json.count)
    }

    /// Prints by how much the peak grows while the payload is decoded once.
    private static func memory(_ arguments: [String]) throws {
        guard arguments.count == 3, let coder = Comparison.Coder(rawValue: arguments[2]) else { return }
        let comparison = try chosen(arguments[1])
        try Memory.forgetPeak()
        let before = try Memory.resident()
        try comparison.decode[coder]?()
        print(arguments[1], arguments[2], comparison.json.count / 1_024, "KB of JSON,", try Memory.peak() - before, "KB at the peak")
    }

    /// Compares the decoders in typed calls, 64 of them in flight.
    private static func calls(_ url: String, _ requests: Int) async throws {
        let base = URL(string: url)
        let clients: [(name: String, client: HTTPClient)] = [
            ("martlet", HTTPClient(baseURL: base)), ("foundation", HTTPClient(baseURL: base, decoder: JSONDecoder())),
        ]
        var ratios: [Double] = []
        for round in 0..<6 {
            var rates: [String: Double] = [:]
            for (name, client) in clients {
                let time = try await ContinuousClock().measure { try await load(client, requests) }
                rates[name] = Double(requests) / (Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18)
            }
            guard round > 0 else { continue }
            ratios.append(rates["martlet", default: 0] / rates["foundation", default: 1])
            print(
                String(
                    format: "martlet %6.0f/s   foundation %6.0f/s   ratio %.2f", rates["martlet", default: 0],
                    rates["foundation", default: 0], ratios.last ?? 0))
        }
        print(String(format: "median %.2f", ratios.sorted()[ratios.count / 2]))
    }

    private static func load(_ client: HTTPClient, _ requests: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    for _ in 0..<requests / 64 {
                        let products = try await client.send(Request<[Product]>.get("products.json"))
                        guard products.count == 75 else { throw CocoaError(.fileReadCorruptFile) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
