// System calls under names that no type uses for its methods. In a type with a method `read`, `read` does not mean the system's.

/// Opens a file (`open`).
package func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

/// Reads from a descriptor (`read`).
package func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(descriptor, bytes, count) }

/// Writes to a descriptor (`write`).
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }

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
