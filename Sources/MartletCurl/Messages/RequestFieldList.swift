internal import CMartletCurl
internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// The fields of a request as the list of C strings that libcurl reads. The memory is reused for the next request.
struct RequestFieldList {
    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity = 2048
    private var count = 0
    private var starts: [Int] = []
    private var nodes: UnsafeMutablePointer<curl_slist>
    private var nodeCapacity = 32
    /// The line that requests the codings that can be decoded; empty for none.
    private let acceptEncoding: [UInt8]

    init(acceptEncoding: String?) {
        self.acceptEncoding = Array((acceptEncoding ?? "").utf8)
        bytes = .allocate(capacity: capacity)
        nodes = .allocate(capacity: nodeCapacity)
    }

    /// Frees the memory. libcurl must no longer use the list.
    func deallocate() {
        bytes.deallocate()
        nodes.deallocate()
    }

    /// Writes the lines of `fields`, which the caller has validated.
    ///
    /// `Content-Length` and `Transfer-Encoding` are left out: libcurl writes them from the body.
    ///
    /// - Parameter isCopied: Whether libcurl has a copy of the body. It would add the `Content-Type` of a form.
    mutating func write(_ fields: HTTPFields, hasBody: Bool, isCopied: Bool, expectsContinue: Bool) -> RequestHead.Traits {
        count = 0
        starts.removeAll(keepingCapacity: true)
        var traits = RequestHead.Traits(rawValue: 0)
        fields.forEachLineOfBytes { name, value in
            if traits.note(name, value) { append(name, value) }
        }
        // A name without a value prevents libcurl from adding its own line.
        if !traits.contains(.accept) { append("Accept:") }
        if hasBody, !traits.contains(.expect) { expectsContinue ? append("Expect: 100-continue") : append("Expect:") }
        if isCopied, !traits.contains(.contentType) { append("Content-Type:") }
        if traits.offersCodings { append(acceptEncoding) }
        return traits
    }

    /// Returns the list. It is valid until the next write.
    mutating func list() -> UnsafeMutablePointer<curl_slist>? {
        guard !starts.isEmpty else { return nil }
        if starts.count > nodeCapacity {
            nodes.deallocate()
            nodeCapacity = starts.count * 2
            nodes = .allocate(capacity: nodeCapacity)
        }
        for (index, start) in starts.enumerated() {
            let text = UnsafeMutableRawPointer(bytes + start).assumingMemoryBound(to: CChar.self)
            nodes[index] = curl_slist(data: text, next: index + 1 < starts.count ? nodes + index + 1 : nil)
        }
        return nodes
    }

    private mutating func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        begin(name.count + value.count + 3)
        name.withUnsafeBytes { put($0) }
        if value.isEmpty {
            // libcurl's notation for a field with an empty value.
            put(UInt8(ascii: ";"))
        } else {
            put(UInt8(ascii: ":"))
            put(UInt8(ascii: " "))
            value.withUnsafeBytes { put($0) }
        }
        put(0)
    }

    private mutating func append(_ line: [UInt8]) {
        guard !line.isEmpty else { return }
        begin(line.count + 1)
        line.withUnsafeBytes { put($0) }
        put(0)
    }

    private mutating func append(_ line: StaticString) {
        begin(line.utf8CodeUnitCount + 1)
        put(UnsafeRawBufferPointer(start: line.utf8Start, count: line.utf8CodeUnitCount))
        put(0)
    }

    private mutating func begin(_ length: Int) {
        starts.append(count)
        guard count + length > capacity else { return }
        capacity = (count + length) * 2
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(larger, bytes, count)
        bytes.deallocate()
        bytes = larger
    }

    private mutating func put(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    private mutating func put(_ some: UnsafeRawBufferPointer) {
        guard let base = some.baseAddress else { return }
        memcpy(bytes + count, base, some.count)
        count += some.count
    }
}
