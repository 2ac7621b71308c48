#if os(Linux)
package import CMartletOpenSSL
package import MartletSystem

/// The functions of OpenSSL's libssl, loaded when the first server with TLS starts.
package struct OpenSSL: @unchecked Sendable {
    // Proof: the table is filled before this value is created and is never changed or released. OpenSSL's functions may be called from any
    // thread, and each session is used only by its server's thread.
    package let functions: UnsafePointer<ctls_functions>

    /// The library of the process: loaded at first use and never released.
    package static let shared: Result<OpenSSL, SystemLibrary.Unusable> = {
        do throws(SystemLibrary.Unusable) {
            return .success(try OpenSSL(names: ["libssl.so.3", "libssl.so.1.1"], setting: "MARTLET_LIBSSL"))
        } catch { return .failure(error) }
    }()

    /// Loads the first of the named libraries that can be used. `setting` is the environment variable that names another one.
    package init(names: [String], setting: String? = nil) throws(SystemLibrary.Unusable) {
        functions = try SystemLibrary.first("OpenSSL", names: names, setting: setting) { library throws(SystemLibrary.Unusable) in
            let functions = try library.table(ctls_functions(), fill: ctls_resolve)
            guard ctls_start(functions) else { throw SystemLibrary.Unusable("OpenSSL could not be initialised") }
            return functions
        }
    }
}
#endif
