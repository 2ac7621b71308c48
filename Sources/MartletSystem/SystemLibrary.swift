/// A shared library of the system that is opened at run time. It is never closed.
package struct SystemLibrary {
    /// The error for a function that the library lacks.
    package struct MissingFunction: Error {
        package let name: String
    }

    private let handle: UnsafeMutableRawPointer

    /// Opens the first of the libraries that is installed. Returns nil if none is.
    package init?(names: [String]) {
        guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
        self.handle = handle
    }

    /// Returns the function with a name. It must have the type `Function`.
    package func function<Function>(_ name: String) throws(MissingFunction) -> Function {
        guard let address = dlsym(handle, name) else { throw MissingFunction(name: name) }
        return unsafeBitCast(address, to: Function.self)
    }

    /// Returns a table of functions, which is never freed.
    ///
    /// - Parameters:
    ///   - empty: a table without functions.
    ///   - fill: fills the table from the library's handle. Returns nil, or the name of the first missing function.
    package func table<Table>(
        _ empty: Table, fill: (UnsafeMutableRawPointer, UnsafeMutablePointer<Table>) -> UnsafePointer<CChar>?
    ) throws(MissingFunction) -> UnsafePointer<Table> {
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        table.initialize(to: empty)
        guard let missing = fill(handle, table) else { return UnsafePointer(table) }
        table.deallocate()
        throw MissingFunction(name: String(cString: missing))
    }
}
