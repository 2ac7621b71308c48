import EndpointGenerator
import Foundation

/// Returns a sample with a text.
func sample(_ json: String, maxDepth: Int = 32) throws(GeneratorError) -> Sample {
    try Sample(file: "sample.json", Data(json.utf8), maxDepth: maxDepth)
}

/// Returns the plan of a GET with sample responses.
func plan(
    _ method: String = "GET", _ path: String = "/things", _ responses: [String] = [], bodies: [String] = [],
    _ change: (inout GeneratorOptions) -> Void = { _ in }
) throws(GeneratorError) -> EndpointPlan {
    var options = GeneratorOptions(method: method, path: path)
    change(&options)
    var samples: [Sample] = [], bodySamples: [Sample] = []
    for text in responses { samples.append(try sample(text)) }
    for text in bodies { bodySamples.append(try sample(text)) }
    return try EndpointPlan(options, responses: samples, bodies: bodySamples)
}

/// Returns the lines of the endpoint's file without indentation.
func lines(
    _ responses: String..., method: String = "GET", path: String = "/things", _ change: (inout GeneratorOptions) -> Void = { _ in }
) throws -> [String] {
    let files = try plan(method, path, responses, change).generate().files
    return (files.first?.text ?? "").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
}
