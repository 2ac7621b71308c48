import Foundation
import Martlet
import Measuring
import Workloads

/// Compares Martlet and Foundation in decoding and encoding one payload.
struct Comparison {
    let name: String
    let json: Data
    /// One decoding of the payload by each coder.
    let decode: [Coder: () throws -> Void]
    let encode: [Coder: () throws -> Void]

    enum Coder: String {
        case martlet, foundation
    }

    init<Value: Codable>(_ name: String, _ value: Value, usesSnakeCase: Bool = false) throws {
        self.name = name
        var encoder = JSONBodyEncoder(), decoder = JSONBodyDecoder()
        let otherEncoder = JSONEncoder(), otherDecoder = JSONDecoder()
        encoder.dateEncodingStrategy = .iso8601
        decoder.dateDecodingStrategy = .iso8601
        otherEncoder.dateEncodingStrategy = .iso8601
        otherDecoder.dateDecodingStrategy = .iso8601
        otherEncoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if usesSnakeCase {
            encoder.keyEncodingStrategy = .convertToSnakeCase
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            otherEncoder.keyEncodingStrategy = .convertToSnakeCase
            otherDecoder.keyDecodingStrategy = .convertFromSnakeCase
        }
        let json = try encoder.encode(value)
        self.json = json
        encoder.outputFormatting = .sortedKeys
        let (sortedEncoder, finalDecoder) = (encoder, decoder)
        guard try sortedEncoder.encode(value) == otherEncoder.encode(value) else { throw Difference(payload: name) }
        decode = [
            .martlet: { _ = try finalDecoder.decode(Value.self, from: json) },
            .foundation: { _ = try otherDecoder.decode(Value.self, from: json) },
        ]
        encode = [.martlet: { _ = try sortedEncoder.encode(value) }, .foundation: { _ = try otherEncoder.encode(value) }]
    }

    /// The error if the encoders' outputs differ.
    struct Difference: Error {
        let payload: String
    }

    /// Returns Foundation's time divided by Martlet's for each round, sorted, and Martlet's best speed in MB/s.
    func ratios(_ work: [Coder: () throws -> Void], rounds: Int) throws -> (ratios: [Double], speed: Double) {
        let repetitions = max(1, 400_000 / json.count)
        var ratios: [Double] = [], fastest = Double.infinity
        for _ in 0..<rounds {
            var seconds: [Coder: Double] = [:]
            for (coder, step) in work {
                let time = try ContinuousClock().measure { for _ in 0..<repetitions { try step() } }
                seconds[coder] = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
            }
            ratios.append(seconds[.foundation, default: 0] / seconds[.martlet, default: 1])
            fastest = min(fastest, seconds[.martlet, default: 1] / Double(repetitions))
        }
        return (ratios.sorted(), Double(json.count) / fastest / 1e6)
    }

    static func all() throws -> [Comparison] {
        var random = Seeded(state: 42)
        return [
            try Comparison("products", Product.all), try Comparison("nested", Payloads.nested),
            try Comparison("snake", Payloads.snake, usesSnakeCase: true), try Comparison("issues", Payloads.issues, usesSnakeCase: true),
            try Comparison("posts", Payloads.posts), try Comparison("points", Payloads.points(&random)),
            try Comparison("numbers", Payloads.numbers(&random)), try Comparison("dictionaries", Payloads.dictionaries),
            try Comparison("options", (0..<20).map { _ in Payloads.options(4, &random) }),
        ]
    }
}
