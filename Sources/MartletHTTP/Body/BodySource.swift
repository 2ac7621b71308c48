/// A body whose chunks are made anew for each reader.
package struct BodySource: Sendable {
    /// Makes a reader of all chunks, from the first on.
    package let make: @Sendable () throws(HTTPError) -> any HTTPBodyReader

    init(_ make: @escaping @Sendable () throws(HTTPError) -> any HTTPBodyReader) { self.make = make }

    /// The chunks from the first on. Letting go of the stream cancels its reader.
    func open() throws(HTTPError) -> BodyStream { BodyStream(try make()) }
}
