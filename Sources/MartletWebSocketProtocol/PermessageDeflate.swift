internal import MartletCodings
package import MartletHTTP

/// Compression of messages with permessage-deflate (RFC 7692): what one side offers or accepts.
///
/// It takes effect only if both sides agree. The peer may restrict it further.
public struct WebSocketCompression: Sendable, Hashable {
    /// Whether the client compresses a message with the help of its earlier ones (context takeover, RFC 7692 §7.1.1.2). Without it,
    /// messages are larger, and the client needs no memory between them. Default: true.
    public var clientKeepsContext = true
    /// Whether the server compresses a message with the help of its earlier ones (context takeover, RFC 7692 §7.1.1.1). Default: true.
    public var serverKeepsContext = true
    /// The size of the client's window as a power of two, from 9 to 15 (RFC 7692 §7.1.2.2). A smaller one takes less memory. Default: 15,
    /// 32 KiB. Other values count as the nearest.
    public var clientWindowBits = 15
    /// The size of the server's window as a power of two, from 9 to 15 (RFC 7692 §7.1.2.1). Default: 15, 32 KiB. Other values count as the
    /// nearest.
    public var serverWindowBits = 15
    /// The minimum size in bytes of a message that is compressed. Smaller ones hardly shrink. Default: 64.
    public var minBytes = 64

    /// Creates a compression with the default values.
    public init() {}
}

/// The permessage-deflate that both sides have agreed on.
package struct PermessageDeflate: Sendable, Hashable {
    /// How one side compresses.
    package struct Direction: Sendable, Hashable {
        package var keepsContext = true
        package var windowBits = 15

        package init(keepsContext: Bool = true, windowBits: Int = 15) {
            self.keepsContext = keepsContext
            self.windowBits = windowBits
        }

        /// Whether zlib can compress with this window. It has none of 256 bytes; such a side sends its messages uncompressed.
        var canCompress: Bool { windowBits >= 9 }
    }

    package var client = Direction()
    package var server = Direction()
    package var minBytes = 64

    package init(client: Direction = .init(), server: Direction = .init(), minBytes: Int = 64) {
        self.client = client
        self.server = server
        self.minBytes = minBytes
    }

    package func direction(of role: WebSocketRole) -> Direction { role == .client ? client : server }

    /// Whether messages can be compressed: zlib (`libz.so.1`) is installed. Otherwise the extension is neither offered nor accepted.
    package static var isAvailable: Bool { DeflateStream.isAvailable }

    static let name = "permessage-deflate"
}

/// A parameter of permessage-deflate (RFC 7692 §7.1).
private enum Parameter: String {
    case serverNoContextTakeover = "server_no_context_takeover"
    case clientNoContextTakeover = "client_no_context_takeover"
    case serverMaxWindowBits = "server_max_window_bits"
    case clientMaxWindowBits = "client_max_window_bits"
}

/// The parameters in an offer or in the response to it.
private struct Parameters {
    var serverNoContextTakeover = false
    var clientNoContextTakeover = false
    var serverMaxWindowBits: Int?
    /// Nil without the parameter, 15 for one without a value in an offer.
    var clientMaxWindowBits: Int?

    init() {}

    /// Reads parameters. Returns nil for those that RFC 7692 §7.1 does not define there, and for repeated ones.
    init?(_ parameters: [(name: String, value: String?)], isOffer: Bool) {
        guard Set(parameters.map(\.name)).count == parameters.count else { return nil }
        for (name, value) in parameters {
            switch Parameter(rawValue: name) {
            case .serverNoContextTakeover where value == nil: serverNoContextTakeover = true
            case .clientNoContextTakeover where value == nil: clientNoContextTakeover = true
            case .serverMaxWindowBits:
                guard let bits = value.flatMap(Parameters.bits) else { return nil }
                serverMaxWindowBits = bits
            case .clientMaxWindowBits:
                if value == nil, isOffer {
                    clientMaxWindowBits = 15
                } else if let bits = value.flatMap(Parameters.bits) {
                    clientMaxWindowBits = bits
                } else {
                    return nil
                }
            default: return nil
            }
        }
    }

    /// Reads a number from 8 to 15 without leading zeros (RFC 7692 §7.1.2).
    private static func bits(_ text: String) -> Int? {
        ["8", "9", "10", "11", "12", "13", "14", "15"].contains(text) ? Int(text) : nil
    }

    /// The extension with these parameters. `hint` adds `client_max_window_bits` without a value.
    func text(hint: Bool = false) -> String {
        var parts = [PermessageDeflate.name]
        if serverNoContextTakeover { parts.append(Parameter.serverNoContextTakeover.rawValue) }
        if clientNoContextTakeover { parts.append(Parameter.clientNoContextTakeover.rawValue) }
        if let bits = serverMaxWindowBits { parts.append("\(Parameter.serverMaxWindowBits.rawValue)=\(bits)") }
        if let bits = clientMaxWindowBits {
            parts.append("\(Parameter.clientMaxWindowBits.rawValue)=\(bits)")
        } else if hint {
            parts.append(Parameter.clientMaxWindowBits.rawValue)
        }
        return parts.joined(separator: "; ")
    }
}

extension WebSocketCompression {
    private static func bounded(_ bits: Int) -> Int { min(15, max(9, bits)) }

    /// The client's offer in `Sec-WebSocket-Extensions`.
    var offer: String {
        var parameters = Parameters()
        parameters.serverNoContextTakeover = !serverKeepsContext
        parameters.clientNoContextTakeover = !clientKeepsContext
        let (server, client) = (WebSocketCompression.bounded(serverWindowBits), WebSocketCompression.bounded(clientWindowBits))
        parameters.serverMaxWindowBits = server < 15 ? server : nil
        parameters.clientMaxWindowBits = client < 15 ? client : nil
        return parameters.text(hint: true)
    }

    /// Returns what a server's response to the ``offer`` means, or nil if it does not fit the offer (RFC 7692 §7.1).
    func agreed(_ response: WebSocketExtension) -> PermessageDeflate? {
        guard response.name == PermessageDeflate.name, let parameters = Parameters(response.parameters, isOffer: false) else { return nil }
        // A server accepts these restrictions by repeating them.
        guard serverKeepsContext || parameters.serverNoContextTakeover else { return nil }
        let serverBits = WebSocketCompression.bounded(serverWindowBits), clientBits = WebSocketCompression.bounded(clientWindowBits)
        guard parameters.serverMaxWindowBits ?? 15 <= serverBits else { return nil }
        guard parameters.clientMaxWindowBits ?? clientBits <= clientBits else { return nil }
        return PermessageDeflate(
            client: .init(
                keepsContext: clientKeepsContext && !parameters.clientNoContextTakeover,
                windowBits: parameters.clientMaxWindowBits ?? clientBits),
            server: .init(keepsContext: !parameters.serverNoContextTakeover, windowBits: parameters.serverMaxWindowBits ?? 15),
            minBytes: minBytes)
    }

    /// Returns the server's response to the first offer that it can accept, and what it means; nil if there is none.
    package func response(to offers: [WebSocketExtension]) -> (text: String, agreed: PermessageDeflate)? {
        for offer in offers where offer.name == PermessageDeflate.name {
            guard let parameters = Parameters(offer.parameters, isOffer: true) else { continue }
            var reply = Parameters()
            reply.serverNoContextTakeover = parameters.serverNoContextTakeover || !serverKeepsContext
            reply.clientNoContextTakeover = parameters.clientNoContextTakeover || !clientKeepsContext
            let serverBits = min(parameters.serverMaxWindowBits ?? 15, WebSocketCompression.bounded(serverWindowBits))
            reply.serverMaxWindowBits = parameters.serverMaxWindowBits != nil || serverBits < 15 ? serverBits : nil
            // Without the parameter in the offer, the client may not support it (RFC 7692 §7.1.2.2).
            let clientBits = parameters.clientMaxWindowBits.map { min($0, WebSocketCompression.bounded(clientWindowBits)) }
            reply.clientMaxWindowBits = clientBits.flatMap { $0 < 15 ? $0 : nil }
            let agreed = PermessageDeflate(
                client: .init(keepsContext: !reply.clientNoContextTakeover, windowBits: clientBits ?? 15),
                server: .init(keepsContext: !reply.serverNoContextTakeover, windowBits: serverBits), minBytes: minBytes)
            return (reply.text(), agreed)
        }
        return nil
    }
}

/// An extension in `Sec-WebSocket-Extensions` (RFC 6455 §9.1).
package struct WebSocketExtension: Sendable {
    package let name: String
    /// The parameters in order, with names in lower case. The value is nil if there is none.
    package let parameters: [(name: String, value: String?)]

    /// Reads all extensions of the fields. Returns nil if a value is malformed.
    package static func all(in headers: HTTPFields) -> [WebSocketExtension]? {
        var found: [WebSocketExtension] = []
        for value in headers.values(for: .secWebSocketExtensions) {
            var reader = FieldReader(value)
            repeat {
                reader.skip(while: Token.isWhitespace)
                // Empty elements are ignored (RFC 9110 §5.6.1.2).
                if reader.isAtEnd || reader.next == FieldReader.comma { continue }
                guard let one = WebSocketExtension(&reader) else { return nil }
                found.append(one)
            } while reader.skip(FieldReader.comma)
            guard reader.isAtEnd else { return nil }
        }
        return found
    }

    private init?(_ reader: inout FieldReader) {
        guard let name = reader.token() else { return nil }
        var parameters: [(name: String, value: String?)] = []
        reader.skip(while: Token.isWhitespace)
        while reader.skip(FieldReader.semicolon) {
            guard let parameter = reader.parameter(value: { _, reader in reader.quoted { $0.token() } }) else { return nil }
            parameters.append(parameter)
            reader.skip(while: Token.isWhitespace)
        }
        self.name = name.lowercased()
        self.parameters = parameters
    }
}
