extension HTTPBody {
    /// Returns a reader of the whole body. It takes a stream over, which then has no bytes for other readers.
    package func reader() throws(HTTPError) -> any HTTPBodyReader {
        switch storage {
        case .data(let data): DataReader(data)
        case .file(let file): FileBodyReader(file)
        case .source(let source): try source.make()
        case .stream(let stream): stream.releaseReader()
        }
    }
}
