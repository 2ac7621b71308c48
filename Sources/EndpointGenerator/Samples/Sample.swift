package import MartletEssentials
internal import MartletJSON

/// A sample of a JSON body.
package struct Sample: Sendable {
    /// The file for error messages. Standard input is `-`.
    let file: String
    let root: JSONNode

    /// Parses a sample.
    ///
    /// - Parameters:
    ///   - file: The file for error messages.
    ///   - data: The JSON document.
    ///   - maxDepth: The maximum nesting of arrays and objects. Default: 32.
    package init(file: String, _ data: Data, maxDepth: Int = 32) throws(GeneratorError) {
        self.file = file
        guard data.contains(where: { !" \n\r\t\u{FEFF}".utf8.contains($0) }) else { throw .emptySample(file: file) }
        do { root = try JSONNode(parsing: data, limits: JSONLimits(maxDepth: maxDepth)) } catch { throw Sample.failure(error, file) }
        // Unlike a node, a value must not have numbers that no client can decode.
        do { _ = try JSONValue(parsing: data) } catch {
            guard case .dataCorrupted(let context) = error, let problem = context.underlyingError as? JSONSyntaxError else { return }
            throw Sample.failure(problem, file)
        }
    }

    private static func failure(_ error: JSONSyntaxError, _ file: String) -> GeneratorError {
        if case .tooDeep(let limit) = error.kind { return .tooDeep(file: file, line: error.line, column: error.column, limit: limit) }
        return .invalidSample(file: file, line: error.line, column: error.column, reason: error.reason)
    }

    /// The value of the sample. Numbers keep their digits.
    var value: JSONValue { root.value }
}
