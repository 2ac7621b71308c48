internal import Foundation
internal import MartletHTTP

/// What a task is given to send.
enum UploadBody: Sendable {
    case none
    case data(Data)
    /// A file that is there already.
    case file(URL)
    /// Chunks, to be sent as they come (on Apple's platforms) or when all are there (on Linux).
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
            // A file that has grown must not be sent whole: only what was promised, chunk by chunk.
            self = size == file.length && file.start == 0 ? .file(URL(fileURLWithPath: file.path)) : .chunks(body)
        case .stream, .source: self = .chunks(body)
        }
    }
}
