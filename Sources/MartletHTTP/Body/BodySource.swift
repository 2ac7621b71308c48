/// A body that creates its chunks again for each reader.
package struct BodySource: Sendable {
    /// Returns a reader of all chunks from the first one on.
    package let make: @Sendable () throws(HTTPError) -> any HTTPBodyReader

    init(_ make: @escaping @Sendable () throws(HTTPError) -> any HTTPBodyReader) { self.make = make }

    /// Returns a stream of all chunks. Dropping the stream cancels its reader.
    func open() throws(HTTPError) -> BodyStream { BodyStream(try make()) }
}
