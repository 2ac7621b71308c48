extension HTTPBody {
    /// Returns a reader from the first byte of the body. It takes over a stream, which then has no bytes for other readers.
    package func reader() throws(HTTPError) -> any HTTPBodyReader {
        switch storage {
        case .data(let data): DataReader(data)
        case .file(let file): FileBodyReader(file)
        case .source(let source): try source.make()
        case .stream(let stream): stream.releaseReader()
        }
    }
}
