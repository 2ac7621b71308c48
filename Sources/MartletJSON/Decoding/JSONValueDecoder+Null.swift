extension JSONValueDecoder {
    /// Returns a decoder for a missing value, which decodes as null.
    static func null(options: JSONBodyDecoder, path: [any CodingKey]) throws -> JSONValueDecoder {
        var text: (UInt8, UInt8, UInt8, UInt8) = (0x6E, 0x75, 0x6C, 0x6C)
        let state = try withUnsafeBytes(of: &text) { bytes in
            let state = try JSONDecodingState(bytes.bindMemory(to: UInt8.self), options: options, rootPath: path)
            state.copyBytes()
            return state
        }
        return JSONValueDecoder(state: state, place: 0)
    }
}
