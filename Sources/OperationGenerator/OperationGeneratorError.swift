internal import EndpointGenerator
internal import MartletGraphQL

/// The mistakes of documents and options. Nothing was generated.
package struct OperationGeneratorError: Error, Sendable, Hashable, CustomStringConvertible {
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The name of the document, or nil for an option.
        package var file: String?
        /// The line and the column start at 1.
        package var line = 1
        package var column = 1
        package var message: String

        init(_ message: String) { self.message = message }

        init(_ message: String, file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
            self.message = message
        }

        /// The problem in the form that editors and compilers use.
        package var description: String {
            if let file { "\(SourceText.comment(file)):\(line):\(column): error: \(message)" } else { "error: \(message)" }
        }
    }

    package let problems: [Problem]

    /// An error of the generator itself, which is reported instead of Swift that would be wrong.
    static func `internal`(_ message: String) -> OperationGeneratorError {
        OperationGeneratorError(problems: [.init("internal: \(message)")])
    }

    /// A line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension Optional {
    /// Returns the value, which earlier checks ensure. Without it, the generator has an error.
    func known(_ name: @autoclosure () -> String) throws(OperationGeneratorError) -> Wrapped {
        guard let self else { throw .internal("\(name()) is unknown") }
        return self
    }
}
