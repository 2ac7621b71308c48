#if os(Linux)
internal import CMartletOpenSSL
internal import MartletSystem

/// A SHA-2 digest that OpenSSL's libcrypto computes, which uses the processor's instructions for it. Copies are independent.
package struct OpenSSLDigest: Sendable {
    /// The hash algorithm of a digest.
    package enum Algorithm: Sendable {
        case sha256, sha512
    }

    private var context: Context

    /// Creates a digest of no bytes so far. It returns nil if libcrypto is not installed or does not offer the algorithm.
    package init?(_ algorithm: Algorithm) {
        guard let library = Library.shared, let context = Context(library, algorithm) else { return nil }
        self.context = context
    }

    /// Adds bytes to the digest.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
        context.update(bytes)
    }

    /// Returns the digest of all added bytes.
    package consuming func finish() -> [UInt8] {
        if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
        return context.finish()
    }

    /// The digest functions of this process's libcrypto, loaded at the first use and never unloaded.
    struct Library: @unchecked Sendable {
        // Proof: the table is filled before this value is created, and is never changed or freed. Its functions may be called from any
        // thread.
        let functions: UnsafePointer<cdigest_functions>

        static let shared = try? Library(names: ["libcrypto.so.3"], setting: "MARTLET_LIBCRYPTO")

        init(names: [String], setting: String? = nil) throws(SystemLibrary.Unusable) {
            functions = try SystemLibrary.first("libcrypto", names: names, setting: setting) { library throws(SystemLibrary.Unusable) in
                try library.table(cdigest_functions(), fill: cdigest_resolve)
            }
        }
    }

    /// The state of a digest in libcrypto's memory.
    private final class Context: @unchecked Sendable {
        // Proof: a digest changes its context only while it holds the only reference.
        private let state: UnsafeMutableRawPointer
        private let library: Library
        private let byteCount: Int

        init?(_ library: Library, _ algorithm: Algorithm) {
            let functions = library.functions.pointee
            guard let state = functions.context_new() else { return nil }
            let isSmall = algorithm == .sha256
            guard functions.`init`(state, isSmall ? functions.sha256 : functions.sha512, nil) == 1 else {
                functions.context_free(state)
                return nil
            }
            self.state = state
            self.library = library
            byteCount = isSmall ? 32 : 64
        }

        init(copying other: Context) {
            let functions = other.library.functions.pointee
            guard let state = functions.context_new(), functions.context_copy(state, other.state) == 1 else {
                preconditionFailure("libcrypto has no memory for a digest")
            }
            self.state = state
            library = other.library
            byteCount = other.byteCount
        }

        deinit { library.functions.pointee.context_free(state) }

        // A wrong digest must not be returned, and these calls fail only without memory.

        func update(_ bytes: UnsafeRawBufferPointer) {
            precondition(library.functions.pointee.update(state, bytes.baseAddress, bytes.count) == 1, "libcrypto can't compute a digest")
        }

        func finish() -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
                precondition(library.functions.pointee.finish(state, digest.baseAddress, nil) == 1, "libcrypto can't compute a digest")
                count = byteCount
            }
        }
    }
}
#endif
