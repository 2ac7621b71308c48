extension JSONEncodingState {
    /// Set on the serial number of a container that was refused.
    static let refused: UInt64 = 1 << 63

    // MARK: Paths

    /// Returns the path of the value that owns the frame, or of the whole state if the frame is closed.
    func codingPath(of serial: UInt64) -> [any CodingKey] {
        guard let index = frameIndex(of: serial & ~Self.refused) else { return pathPrefix }
        return framePath(index)
    }

    /// Returns the path of the value that owns the frame at `index`.
    func framePath(_ index: Int) -> [any CodingKey] {
        var path = pathPrefix
        for frame in UnsafeBufferPointer(start: output.frames, count: index) { appendChildKey(of: frame, to: &path) }
        return path
    }

    /// Returns the path of the value being encoded.
    func openPath() -> [any CodingKey] { framePath(output.frameCount) }

    func frameIndex(of serial: UInt64) -> Int? {
        (1..<output.frameCount).last { output.frames[$0].serial == serial }
    }

    private func appendChildKey(of frame: JSONFrame, to path: inout [any CodingKey]) {
        switch frame.kind {
        case .array: path.append(JSONCodingKey(index: max(frame.count - 1, 0)))
        case .object:
            if let pointer = frame.childKey, let type = frame.childKeyType { path.append(loadKey(type, pointer)) }
        case .scalar, .undecided: break
        }
    }

    private func loadKey<Key: CodingKey>(_: Key.Type, _ pointer: UnsafeRawPointer) -> any CodingKey {
        pointer.assumingMemoryBound(to: Key.self).pointee
    }

    // MARK: Errors

    /// Returns the error for a container or encoder that must not be written to.
    @inline(never)
    func refusal(_ serial: UInt64, value: Any, path: [any CodingKey]) -> EncodingError {
        guard let index = frameIndex(of: serial & ~Self.refused) else {
            return invalid(value, path, "The container was used after its value was encoded.")
        }
        let flags = output.frames[index].flags
        if flags.contains(.tooDeep) { return output.depthError(codingPath: path) }
        if flags.contains(.mixed) || serial & Self.refused != 0 { return mixedError(codingPath: path, value: value) }
        return invalid(value, path, "The container was used while one of its values was being encoded.")
    }

    func mixedError(codingPath: [any CodingKey], value: Any = ()) -> EncodingError {
        invalid(value, codingPath, "Containers of different kinds, or several single values, were encoded for one value.")
    }

    func emptyRootError(_ type: any Any.Type) -> EncodingError {
        invalid(type, [], "Top-level \(type) did not encode any values.")
    }

    func invalid(_ value: Any, _ path: [any CodingKey], _ text: String) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: text))
    }
}
