import Foundation
import Testing

private enum FileSizes {
    /// Each file that has `limit` lines or more.
    static func violations(in files: [String: String], under limit: Int) -> [String] {
        files.sorted { $0.key < $1.key }.compactMap { path, text in
            let ends = text.withCString { start in
                var count = 0, place = start
                while let end = strchr(place, 0x0A) {
                    count += 1
                    place = UnsafePointer(end) + 1
                }
                return count
            }
            let lines = ends + (text.utf8.last == 0x0A ? 0 : 1)
            return lines < limit ? nil : "\(path) has \(lines) lines"
        }
    }
}

@Suite("The sizes of files", .timeLimit(.minutes(5)))
struct FileSizeTests {
    @Test("Source files stay under 300 lines")
    func sources() throws {
        #expect(FileSizes.violations(in: try Repository.files(under: "Sources", [".swift", ".c", ".h"]), under: 300) == [])
    }

    @Test("Test files stay under 500 lines")
    func tests() throws {
        #expect(FileSizes.violations(in: try Repository.swiftFiles(under: "Tests"), under: 500) == [])
    }

    @Test("A file with as many lines as the limit is found, one with a line less is not")
    func boundary() {
        let files = ["a": "1\n2\n3\n", "b": "1\n2\n", "c": "1\n2\n3", "d": "\n\n\n\n", "e": ""]
        #expect(FileSizes.violations(in: files, under: 3) == ["a has 3 lines", "c has 3 lines", "d has 4 lines"])
    }
}
