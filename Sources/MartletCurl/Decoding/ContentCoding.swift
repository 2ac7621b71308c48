internal import CMartletCurl
internal import MartletHTTP

/// A content coding that this process can undo (RFC 9110 §8.4.1).
enum ContentCoding: String, CaseIterable {
    case gzip
    case deflate
    case brotli = "br"
    case zstd

    /// Those whose libraries are installed, in the order in which they are asked for.
    static let available: [ContentCoding] = {
        cdecode_bind()
        return allCases.filter { cdecode_has($0.format) }
    }()

    /// The line that asks for what is available; nil when nothing is.
    static let acceptLine: String? =
        available.isEmpty ? nil : "Accept-Encoding: " + available.map(\.rawValue).joined(separator: ", ")

    /// Returns the codings in `Content-Encoding` in the order in which they were applied. Returns nil if there are none, or if one of them
    /// is not supported; the body is then passed on coded.
    static func applied(to headers: HTTPFields) -> [ContentCoding]? {
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
        // RFC 9110 §8.4.1.3: a recipient takes "x-gzip" for "gzip".
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

    /// A decoder for data that begins with `start`; nil when there is no memory for it.
    func decoder(for start: UnsafeRawBufferPointer) -> OpaquePointer? {
        cdecode_open(self == .deflate && !ContentCoding.isZlib(start) ? CDECODE_RAW_DEFLATE : format)
    }

    /// Whether a further member of the same coding begins with that byte. Anything else behind the end of the data is passed over, as
    /// browsers do.
    func continues(with byte: UInt8) -> Bool {
        switch self {
        case .gzip: byte == 0x1F
        case .zstd: byte == 0x28 || 0x50...0x5F ~= byte
        case .deflate, .brotli: false
        }
    }

    /// Whether it has zlib's header, which "deflate" calls for (RFC 9110 §8.4.1.2) and which many servers leave out.
    private static func isZlib(_ start: UnsafeRawBufferPointer) -> Bool {
        guard let first = start.first, first & 0x0F == 8, first >> 4 <= 7 else { return false }
        return start.count < 2 || (Int(first) << 8 | Int(start[1])) % 31 == 0
    }
}
