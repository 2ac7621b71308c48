internal import Foundation
internal import MartletHTTP

/// The request body of a task.
enum UploadBody: Sendable {
    case none
    case data(Data)
    /// An existing file.
    case file(URL)
    /// Chunks, sent as they are read (on Apple platforms) or after all have been read (on Linux).
    case chunks(HTTPBody)

    init(_ body: HTTPBody?) throws(HTTPError) {
        guard let body else {
            self = .none
            return
        }
        switch body.storage {
        case .data(let data): self = data.isEmpty ? .none : .data(data)
        case .file(let file) where file.length <= 0: self = .none
        case .file(let file):
            let size = try file.currentSize()
            // Only the declared bytes of a file are sent, chunk by chunk, even if the file has grown.
            self = size == file.length && file.start == 0 ? .file(URL(fileURLWithPath: file.path)) : .chunks(body)
        case .stream, .source: self = .chunks(body)
        }
    }
}
