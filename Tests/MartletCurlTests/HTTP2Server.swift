import Foundation
import MartletHTTP
import MartletSystem
import TestSupport

/// A loopback server of HTTP/2 over TLS that counts requests, and knows no more of them than their stream (RFC 9113).
final class HTTP2Server: Sendable {
    struct Request: Sendable {
        let connection: Int
        let stream: UInt32
        /// The number of requests on all connections so far, with this one.
        let number: Int
    }

    enum Reply {
        /// A response with the status 200 and no body.
        case ok
        /// REFUSED_STREAM.
        case refusal
        /// GOAWAY, with no stream processed.
        case retirement
        /// A head of 200 KB, beyond libcurl's limit.
        case largeHead
        case nothing

        fileprivate func frames(for stream: UInt32) -> Data {
            switch self {
            case .ok: HTTP2Server.frame(.headers, flags: 0x5, stream, Data([0x88]))
            case .refusal: HTTP2Server.frame(.reset, stream, Data([0, 0, 0, 7]))
            case .retirement: HTTP2Server.frame(.goAway, 0, Data(count: 8))
            case .largeHead: HTTP2Server.largeHead(stream)
            case .nothing: Data()
            }
        }
    }

    private enum Kind: UInt8 { case headers = 1, reset = 3, settings = 4, goAway = 7, continuation = 9 }

    private let raw: RawServer
    private let requests = Locked(0)

    init(_ reply: @escaping @Sendable (Request) -> Reply) {
        raw = RawServer { [requests] connection in
            guard let secure = SecureConnection(connection, isHTTP2: true) else { return }
            var reader = Reader(secure)
            guard reader.take(24) != nil else { return }
            secure.send(HTTP2Server.frame(.settings, 0, Data()))
            while let (kind, flags, stream) = reader.takeFrame() {
                switch kind {
                case .headers:
                    let number = requests.withLock {
                        $0 += 1; return $0
                    }
                    secure.send(reply(Request(connection: connection.number, stream: stream, number: number)).frames(for: stream))
                case .settings where flags & 0x1 == 0: secure.send(HTTP2Server.frame(.settings, flags: 0x1, 0, Data()))
                default: break
                }
            }
        }
    }

    /// The number of requests that have arrived, those that were not processed included.
    var requestCount: Int { requests.withLock { $0 } }
    var connectionCount: Int { raw.connectionCount }
    var url: URL { URL(string: "https://127.0.0.1:\(raw.port)/")! }

    private static func frame(_ kind: Kind, flags: UInt8 = 0, _ stream: UInt32, _ payload: Data) -> Data {
        let length = UInt32(payload.count)
        return Data([UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), kind.rawValue, flags])
            + withUnsafeBytes(of: stream.bigEndian) { Data($0) } + payload
    }

    /// 100 fields of 2,000 bytes, in frames of 16,000 bytes (RFC 7541 §6.2.2).
    private static func largeHead(_ stream: UInt32) -> Data {
        let value = Data([0x7f, 0xd1, 0x0e]) + Data(repeating: UInt8(ascii: "v"), count: 2000)
        let block = (100..<200).reduce(Data([0x88])) { $0 + Data([0x00, 0x04]) + Data("x\($1)".utf8) + value }
        return stride(from: 0, to: block.count, by: 16_000).reduce(Data()) { frames, start in
            let part = Data(block.dropFirst(start).prefix(16_000)), isLast = start + 16_000 >= block.count
            return frames + frame(start == 0 ? .headers : .continuation, flags: isLast ? 0x4 : 0, stream, part)
        }
    }

    private struct Reader {
        private let secure: SecureConnection
        private var pending = Data()

        init(_ secure: SecureConnection) { self.secure = secure }

        mutating func take(_ count: Int) -> Data? {
            while pending.count < count {
                guard let more = secure.read() else { return nil }
                pending.append(more)
            }
            defer { pending = Data(pending.dropFirst(count)) }
            return Data(pending.prefix(count))
        }

        mutating func takeFrame() -> (kind: Kind?, flags: UInt8, stream: UInt32)? {
            guard let head = take(9), take(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])) != nil else { return nil }
            return (Kind(rawValue: head[3]), head[4], head[5...].reduce(0) { $0 << 8 | UInt32($1) })
        }
    }
}
