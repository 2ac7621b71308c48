/// What the system would not give, and why.
package struct SystemFailure: Error, CustomStringConvertible {
    /// What there is none of.
    package let what: String
    /// The system's number for the reason.
    package let code: Int32

    package init(what: String, code: Int32) {
        self.what = what
        self.code = code
    }

    /// What there is none of, and the reason in the system's words.
    package var description: String { "\(what): \(SystemFailure.words(code))" }

    /// What the system says of a failure.
    package static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
