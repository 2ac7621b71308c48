@testable import MartletJSON

/// Calls a closure with a copy of the bytes in memory of exactly their size. The address sanitizer then finds any access outside.
func withExactMemory<Value>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
) rethrows -> Value {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { memory.deallocate() }
    _ = memory.initialize(from: bytes)
    return try body(UnsafeBufferPointer(memory))
}

/// Indexes a document and returns the error, or nil if it is valid.
func syntaxError(in bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()) -> JSONSyntaxError? {
    withExactMemory(bytes) { document in
        do throws(JSONSyntaxError) {
            try JSONIndex(document, limits: limits).deallocate()
            return nil
        } catch {
            return error
        }
    }
}

/// Indexes a valid document and calls a closure with the index.
func withIndex<Value>(_ text: String, _ body: (JSONIndex) throws -> Value) throws -> Value {
    try withExactMemory(text.utf8) { document in
        let index = try JSONIndex(document, limits: JSONLimits())
        defer { index.deallocate() }
        return try body(index)
    }
}
