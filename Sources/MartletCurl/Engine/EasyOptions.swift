internal import CMartletCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The options of one easy handle, and what can be asked of it, each by the type of its value.
struct EasyOptions {
    let functions: UnsafePointer<ccurl_functions>
    let curl: UnsafeMutableRawPointer

    func set(_ option: some FixedWidthInteger, _ value: Int) { _ = ccurl_set_long(functions, curl, Int32(option), value) }

    /// libcurl keeps a copy.
    func set(_ option: some FixedWidthInteger, string: String?) {
        if let string {
            _ = string.withCString { ccurl_set_string(functions, curl, Int32(option), $0) }
        } else {
            _ = ccurl_set_string(functions, curl, Int32(option), nil)
        }
    }

    /// libcurl keeps a copy.
    func set(_ option: some FixedWidthInteger, bytes: Data) {
        _ = bytes.withUnsafeBytes { ccurl_set_bytes(functions, curl, Int32(option), $0.baseAddress, $0.count) }
    }

    func set(_ option: some FixedWidthInteger, offset: Int64) { _ = ccurl_set_offset(functions, curl, Int32(option), offset) }

    func set(_ option: some FixedWidthInteger, pointer: UnsafeMutableRawPointer?) {
        _ = ccurl_set_pointer(functions, curl, Int32(option), pointer)
    }

    func set(_ option: some FixedWidthInteger, callback: @escaping ccurl_data_callback) {
        _ = ccurl_set_data_callback(functions, curl, Int32(option), callback)
    }

    func set(_ option: some FixedWidthInteger, seek: @escaping ccurl_seek_callback) {
        _ = ccurl_set_seek_callback(functions, curl, Int32(option), seek)
    }

    func number(_ info: some FixedWidthInteger) -> Int { ccurl_get_long(functions, curl, Int32(info)) }

    func text(_ info: some FixedWidthInteger) -> String? {
        guard let text = ccurl_get_pointer(functions, curl, Int32(info)) else { return nil }
        return String(cString: text.assumingMemoryBound(to: CChar.self))
    }

    /// A moment since the start of the transfer; nil when it has not come, or not been passed this time.
    func moment(_ info: some FixedWidthInteger) -> Duration? {
        let microseconds = ccurl_get_offset(functions, curl, Int32(info))
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }
}
