/// A failed system call.
package struct SystemFailure: Error, CustomStringConvertible {
    /// The operation that failed, such as "the thread could not be started".
    let what: String
    /// The `errno` code.
    package let code: Int32

    package init(what: String, code: Int32) {
        self.what = what
        self.code = code
    }

    /// The operation that failed, and the system's text for the code.
    package var description: String { "\(what): \(SystemFailure.words(code))" }

    /// Returns the system's text for an `errno` code.
    package static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
