internal import MartletEssentials
internal import MartletSystem

#if os(Linux)
internal import CMartletMockServer

/// OpenSSL, loaded when a server with TLS starts.
struct OpenSSL: @unchecked Sendable {
    // Proof: the table is filled before this value is created and is never changed or released. OpenSSL's functions may be called from any
    // thread, and each session is used only by its server's thread.
    let functions: UnsafePointer<ctls_functions>

    /// The library of the process: loaded at first use and never released.
    static let shared: Result<OpenSSL, HTTPError> = {
        do throws(HTTPError) {
            return .success(try OpenSSL(names: ["libssl.so.3", "libssl.so.1.1"], setting: "MARTLET_LIBSSL"))
        } catch { return .failure(error) }
    }()

    /// Loads the first of the named libraries that can be used. `setting` is the environment variable that names another one.
    init(names: [String], setting: String? = nil) throws(HTTPError) {
        do throws(SystemLibrary.Unusable) {
            functions = try SystemLibrary.first("OpenSSL", names: names, setting: setting) { library throws(SystemLibrary.Unusable) in
                let functions = try library.table(ctls_functions(), fill: ctls_resolve)
                guard ctls_start(functions) else { throw SystemLibrary.Unusable("OpenSSL could not be initialised") }
                return functions
            }
        } catch { throw OpenSSL.unavailable(error.description) }
    }

    private static func unavailable(_ what: String) -> HTTPError {
        .engineUnavailable(
            Explanation("\(what). MockServer needs it for TLS. Install it: `apt-get install libssl3` on Debian and Ubuntu"))
    }
}

#else
// Other platforms have no OpenSSL to load: a server with a certificate can't be started, and the rest is never called.

enum OpenSSL {
    static var shared: Result<Void, HTTPError> {
        .failure(.engineUnavailable("MockServer supports TLS on Linux only, with OpenSSL (the package libssl3)"))
    }
}

final class TLSContext: Sendable {
    init(_ tls: MockServer.TLS) throws(HTTPError) { try OpenSSL.shared.get() }

    func session() -> TLSSession? { nil }
}

final class TLSSession {
    var isEstablished: Bool { false }
    var hasPending: Bool { false }
    var clientCertificate: Data? { nil }

    func feed(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSReading { .ended }
    func send(_ bytes: UnsafeRawBufferPointer, by socket: StreamSocket) -> StreamSocket.IOResult { .failed(EPROTO) }
    func end(by socket: StreamSocket) {}
    func flush(by socket: StreamSocket) -> StreamSocket.IOResult { .failed(EPROTO) }
}
#endif
