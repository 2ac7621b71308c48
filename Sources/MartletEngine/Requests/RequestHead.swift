package import MartletHTTP

/// Writes the head of a request of HTTP/1.1 as its bytes on the connection (RFC 9112 §3, §5).
package enum RequestHead {
    /// How the length of the body is announced (RFC 9112 §6).
    package enum Framing {
        case none
        case length(Int64)
        case chunks
    }

    /// Properties of the fields of a request that determine how it is sent and how its response is read.
    package struct Traits: OptionSet {
        package let rawValue: UInt8
        package static let accept = Traits(rawValue: 1)
        package static let expect = Traits(rawValue: 2)
        /// The request sets `Range`, or an `Accept-Encoding` other than `identity`: the body is passed on coded.
        package static let wantsRawBody = Traits(rawValue: 4)
        /// The request sets `Accept-Encoding`: no line is added.
        package static let acceptEncoding = Traits(rawValue: 8)
        /// The request ends the connection.
        package static let closesConnection = Traits(rawValue: 16)
        package static let contentType = Traits(rawValue: 32)

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Whether the transport sends its own `Accept-Encoding`.
        package var offersCodings: Bool { !contains(.wantsRawBody) && !contains(.acceptEncoding) }

        /// Records a line of the fields. Returns whether it is sent: `Content-Length` and `Transfer-Encoding` are written from the body.
        package mutating func note(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
            switch name.count {
            case 5 where name.isName("range"): insert(.wantsRawBody)
            case 6 where name.isName("accept"): insert(.accept)
            case 6 where name.isName("expect"): insert(.expect)
            case 10 where name.isName("connection"): if value.containsToken("close") { insert(.closesConnection) }
            case 12 where name.isName("content-type"): insert(.contentType)
            case 14 where name.isName("content-length"): return false
            case 15 where name.isName("accept-encoding"):
                insert(.acceptEncoding)
                // A request for no coding wants plain content, so a body that the server codes anyway is decoded.
                if !value.isName("identity") { insert(.wantsRawBody) }
            case 17 where name.isName("transfer-encoding"): return false
            default: break
            }
            return true
        }
    }

    /// Appends the head of a request that was checked.
    ///
    /// The fields keep their order and their lines. `Content-Length` and `Transfer-Encoding` are written from the body, and `Host` from the
    /// URL unless the request sets it.
    ///
    /// - Parameters:
    ///   - url: The text of the request's URL, without user information.
    ///   - acceptEncoding: The codings that can be decoded; nil to request none.
    ///   - expectsContinue: Whether the body waits for the server's permission (RFC 9110 §10.1.1).
    @discardableResult
    package static func write(
        _ request: borrowing HTTPRequest, url: String, framing: Framing, acceptEncoding: String? = nil, expectsContinue: Bool = false,
        to bytes: inout [UInt8]
    ) -> Traits {
        bytes.append(contentsOf: request.method.rawValue.utf8)
        bytes.append(UInt8(ascii: " "))
        appendTarget(url, to: &bytes)
        bytes.append(contentsOf: " HTTP/1.1\r\n".utf8)
        if !request.headers.contains(.host) {
            bytes.append(contentsOf: "Host: ".utf8)
            appendAuthority(url, to: &bytes)
            end(&bytes)
        }
        var traits = Traits(rawValue: 0)
        request.headers.forEachLineOfBytes { name, value in
            if traits.note(name, value) { append(name, value, to: &bytes) }
        }
        if let acceptEncoding, traits.offersCodings {
            bytes.append(contentsOf: "Accept-Encoding: ".utf8)
            bytes.append(contentsOf: acceptEncoding.utf8)
            end(&bytes)
        }
        if expectsContinue, !traits.contains(.expect) { bytes.append(contentsOf: "Expect: 100-continue\r\n".utf8) }
        switch framing {
        case .none: break
        case .length(let length):
            bytes.append(contentsOf: "Content-Length: ".utf8)
            bytes.append(contentsOf: String(length).utf8)
            end(&bytes)
        case .chunks: bytes.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        }
        end(&bytes)
        return traits
    }

    /// Appends the line of a field.
    package static func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: value)
        end(&bytes)
    }

    private static func end(_ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends the path and the query of a URL (RFC 9112 §3.2.1).
    private static func appendTarget(_ url: String, to bytes: inout [UInt8]) {
        var url = url
        url.withUTF8 { text in
            let target = authority(in: text).upperBound
            var end = target
            while end < text.count, text[end] != UInt8(ascii: "#") { end += 1 }
            if target == end || text[target] != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[target..<end]))
        }
    }

    /// Returns the position of the authority: after the two slashes, up to the path, the query or the fragment.
    private static func authority(in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var start = 0, slashes = 0
        while start < text.count, slashes < 2 {
            if text[start] == UInt8(ascii: "/") { slashes += 1 }
            start += 1
        }
        var end = start
        while end < text.count, text[end] != UInt8(ascii: "/"), text[end] != UInt8(ascii: "?"), text[end] != UInt8(ascii: "#") { end += 1 }
        return start..<end
    }

    /// Appends the authority of a URL as the URL has it, in lower case, without a default port and the zone of an IPv6 address.
    private static func appendAuthority(_ url: String, to bytes: inout [UInt8]) {
        var url = url
        url.withUTF8 { text in
            var range = authority(in: text)
            let isSecure = text.count > 4 && text[4] | 0x20 == UInt8(ascii: "s")
            let port: StaticString = isSecure ? ":443" : ":80", count = port.utf8CodeUnitCount
            if range.count > count, (0..<count).allSatisfy({ text[range.upperBound - count + $0] == port.utf8Start[$0] }) {
                range = range.lowerBound..<range.upperBound - count
            } else if range.count > 1, text[range.upperBound - 1] == UInt8(ascii: ":") {
                range = range.lowerBound..<range.upperBound - 1
            }
            let isAddress = !range.isEmpty && text[range.lowerBound] == UInt8(ascii: "[")
            var isZone = false
            for position in range {
                if isAddress, text[position] == UInt8(ascii: "%") { isZone = true }
                if text[position] == UInt8(ascii: "]") { isZone = false }
                if !isZone { bytes.append(Token.lowercased(text[position])) }
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether these bytes equal a name in any case. `name` is in lower case.
    package func isName(_ name: StaticString) -> Bool {
        withUnsafeBufferPointer { bytes in
            guard bytes.count == name.utf8CodeUnitCount else { return false }
            for index in 0..<name.utf8CodeUnitCount where Token.lowercased(bytes[index]) != name.utf8Start[index] { return false }
            return true
        }
    }

    /// Whether a list of tokens contains one, in any case. `token` is in lower case.
    package func containsToken(_ token: StaticString) -> Bool {
        split(separator: UInt8(ascii: ",")).contains { part in
            var part = part
            while let last = part.last, Token.isWhitespace(last) { part = part.dropLast() }
            return part.drop(while: Token.isWhitespace).isName(token)
        }
    }
}
