import Foundation
import MartletJSON

/// What a scanner returns for a document: its elements, and the error after them.
struct ScanResult: Equatable {
    var elements: [JSONElementScanner.Element] = []
    var error: JSONElementError?

    var texts: [String] { elements.map { String(decoding: $0.bytes, as: UTF8.self) } }

    /// Scans a document that arrives in chunks.
    init(_ chunks: some Sequence<Data>, by scanner: JSONElementScanner) {
        var scanner = scanner
        do throws(JSONElementError) {
            for chunk in chunks {
                scanner.append(chunk)
                while let element = try scanner.next() { elements.append(element) }
            }
            try scanner.finish()
        } catch { self.error = error }
    }

    /// Scans a document in one chunk.
    init(_ document: Data, path: String = "", maxElementBytes: Int = 1000, maxDepth: Int = 512) {
        self.init([document], by: JSONElementScanner(keyPath: path, maxElementBytes: maxElementBytes, maxDepth: maxDepth))
    }

    init(_ document: String, path: String = "", maxElementBytes: Int = 1000, maxDepth: Int = 512) {
        self.init(Data(document.utf8), path: path, maxElementBytes: maxElementBytes, maxDepth: maxDepth)
    }
}

/// Returns all ways to split a document into two chunks, and its split into single bytes.
func splits(of document: Data) -> [[Data]] {
    (0...document.count).map { [document.prefix($0), document.dropFirst($0)] } + [document.map { Data([$0]) }]
}
