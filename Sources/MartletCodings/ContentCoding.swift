internal import CMartletCodings
package import MartletHTTP
internal import MartletSystem

/// A content coding that can be decoded (RFC 9110 §8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
    case gzip
    case deflate
    case brotli = "br"
    case zstd

    /// The codings whose libraries are installed, in the order of preference in `Accept-Encoding`.
    package static let available: [ContentCoding] = {
        let libraries = [("libz.so.1", "MARTLET_LIBZ", CDECODE_GZIP), ("libbrotlidec.so.1", "MARTLET_LIBBROTLIDEC", CDECODE_BROTLI)]
        for (name, setting, format) in libraries + [("libzstd.so.1", "MARTLET_LIBZSTD", CDECODE_ZSTD)] {
            // A coding whose library is missing is not offered to servers.
            try? SystemLibrary.first(name, names: [name], setting: setting) { library throws(SystemLibrary.Unusable) in
                try library.bind { cdecode_bind(format, $0) }
            }
        }
        return allCases.filter { cdecode_has($0.format) }
    }()

    /// The value of `Accept-Encoding` with the available codings; nil if there are none.
    package static let accepted: String? = available.isEmpty ? nil : available.map(\.rawValue).joined(separator: ", ")

    /// Returns the codings in `Content-Encoding` in the order in which they were applied. Returns nil if there are none, or if one of them
    /// is not supported; the body is then passed on coded.
    package static func applied(to headers: HTTPFields) -> [ContentCoding]? {
        guard headers.contains(.contentEncoding) else { return nil }
        var codings: [ContentCoding] = []
        for value in headers.values(for: .contentEncoding) {
            for word in value.split(separator: ",") {
                let name = word.lowercased().filter { $0 != " " && $0 != "\t" }
                if name.isEmpty || name == "identity" { continue }
                guard let coding = ContentCoding(name: name), available.contains(coding) else { return nil }
                codings.append(coding)
            }
        }
        return codings.isEmpty ? nil : codings
    }

    private init?(name: String) {
        // RFC 9110 §8.4.1.3: "x-gzip" means "gzip".
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    fileprivate var format: cdecode_format {
        switch self {
        case .gzip: CDECODE_GZIP
        case .deflate: CDECODE_ZLIB
        case .brotli: CDECODE_BROTLI
        case .zstd: CDECODE_ZSTD
        }
    }

    /// Returns a decoder for data that begins with `start`, or nil if memory is exhausted.
    func decoder(for start: UnsafeRawBufferPointer) -> OpaquePointer? {
        cdecode_open(self == .deflate && !ContentCoding.isZlib(start) ? CDECODE_RAW_DEFLATE : format)
    }

    /// Whether a further member of the same coding begins with `byte`. Other data after the end is ignored, as in browsers.
    func continues(with byte: UInt8) -> Bool {
        switch self {
        case .gzip: byte == 0x1F
        case .zstd: byte == 0x28 || 0x50...0x5F ~= byte
        case .deflate, .brotli: false
        }
    }

    /// Whether the data has a zlib header. "deflate" requires it (RFC 9110 §8.4.1.2), but many servers omit it.
    private static func isZlib(_ start: UnsafeRawBufferPointer) -> Bool {
        guard let first = start.first, first & 0x0F == 8, first >> 4 <= 7 else { return false }
        return start.count < 2 || (Int(first) << 8 | Int(start[1])) % 31 == 0
    }
}
