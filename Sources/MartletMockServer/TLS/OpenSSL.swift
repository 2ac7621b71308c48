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
        do throws(HTTPError) { return .success(try OpenSSL(names: ["libssl.so.3", "libssl.so.1.1"])) } catch { return .failure(error) }
    }()

    /// Loads the first library that exists.
    init(names: [String]) throws(HTTPError) {
        guard let library = SystemLibrary(names: names) else {
            throw OpenSSL.unavailable("OpenSSL is not installed (tried to load \(names.joined(separator: ", ")))")
        }
        do throws(SystemLibrary.MissingFunction) {
            functions = try library.table(ctls_functions(), fill: ctls_resolve)
        } catch { throw OpenSSL.unavailable("the library that was found has no \(error.name)") }
        guard ctls_start(functions) else { throw OpenSSL.unavailable("OpenSSL could not be initialised") }
    }

    private static func unavailable(_ what: String) -> HTTPError {
        .engineUnavailable(
            Explanation("\(what), which MockServer needs for TLS. Install it: `apt-get install libssl3` on Debian and Ubuntu"))
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
