internal import CMartletCurl

/// Lines for libcurl's list of addresses (CURLOPT_RESOLVE). The memory must outlive the transfer.
final class AddressList {
    private let items: UnsafeMutableBufferPointer<curl_slist>

    /// A pointer to the first line.
    var pointer: UnsafeMutablePointer<curl_slist>? { items.baseAddress }

    init(_ lines: [String]) {
        items = .allocate(capacity: lines.count)
        for (index, line) in lines.enumerated() {
            let bytes = line.utf8CString
            let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
            _ = text.initialize(from: bytes)
            let next = index + 1 < lines.count ? items.baseAddress.map { $0 + index + 1 } : nil
            items.initializeElement(at: index, to: curl_slist(data: text.baseAddress, next: next))
        }
    }

    deinit {
        for item in items { item.data.deallocate() }
        items.deallocate()
    }
}
