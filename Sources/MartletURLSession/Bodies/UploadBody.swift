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
        case .file(let file):
            guard file.length > 0 else {
                self = .none
                return
            }
            let size = try UploadBody.size(of: file)
            // A file that has grown must not be sent whole: only what was promised, chunk by chunk.
            self = size == file.length && file.start == 0 ? .file(URL(fileURLWithPath: file.path)) : .chunks(body)
        case .stream, .source: self = .chunks(body)
        }
    }

    private static func size(of file: FileBody) throws(HTTPError) -> Int64 {
        let size: Int64?
        do {
            size = (try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber)?.int64Value
        } catch {
            throw .invalidRequest(Explanation("the body's file can't be opened: \(file.path)", context: ErrorContext(underlying: error)))
        }
        guard let size, size >= file.start + file.length else {
            throw .invalidRequest(Explanation("the body's file became shorter while it was sent: \(file.path)"))
        }
        return size
    }
}
