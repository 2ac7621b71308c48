import Foundation
import MartletSystem
import Testing

@testable import MartletCookies

@Suite("StateFile", .timeLimit(.minutes(5)))
struct StateFileTests {
    private struct Numbers: StateDocument, Equatable {
        static let currentVersion = 1
        var version = 1
        var numbers: [Int]
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
    private var url: URL { folder.appendingPathComponent("state.json") }
    private var draft: URL { folder.appendingPathComponent("state.json.new") }

    private func inFolder(_ test: () async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test()
    }

    private func numbers() throws -> [Int]? { try StateFile(url: url).read(Numbers.self).document?.numbers }

    @Test("Concurrent writers and readers see whole documents only")
    func concurrency() async throws {
        try await inFolder {
            let url = url
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        for _ in 0..<10 {
                            try StateFile(url: url).write(Numbers(numbers: Array(repeating: writer, count: 5_000)))
                            let content = try StateFile(url: url).read(Numbers.self)
                            #expect(content.damage == nil)
                            #expect(content.document.map { Set($0.numbers).count == 1 && $0.numbers.count == 5_000 } == true)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.json"])
        }
    }

    @Test("The rest of a writer that ended early is overwritten, and made private")
    func rest() async throws {
        try await inFolder {
            try Data(repeating: 0x78, count: 1_000).write(to: draft)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: draft.path)
            try StateFile(url: url).write(Numbers(numbers: [1]))
            #expect(try numbers() == [1])
            #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("A draft that is a symbolic link, or another name of a file, is not written")
    func foreignDraft() async throws {
        try await inFolder {
            let other = folder.appendingPathComponent("other")
            try Data("mine".utf8).write(to: other)
            try FileManager.default.createSymbolicLink(at: draft, withDestinationURL: other)
            #expect(throws: StateStoreError.self) { try StateFile(url: url).write(Numbers(numbers: [1])) }
            try FileManager.default.removeItem(at: draft)
            try FileManager.default.linkItem(at: other, to: draft)
            #expect(throws: StateStoreError.self) { try StateFile(url: url).write(Numbers(numbers: [1])) }
            #expect(try String(contentsOf: other, encoding: .utf8) == "mine")
        }
    }

    @Test("A missing file has no document, and a file of more than 64 MiB is damaged")
    func sizes() async throws {
        try await inFolder {
            #expect(try numbers() == nil)
            #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
            #expect(truncate(url.path, 64 << 20 + 1) == 0)
            let content = try StateFile(url: url).read(Numbers.self)
            #expect(content.document == nil && content.damage == .corrupt("") && content.damage?.description.contains("too large") == true)
        }
    }
}
