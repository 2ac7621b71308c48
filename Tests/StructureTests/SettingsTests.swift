import Foundation
import Testing

@Suite("The settings of other programs", .timeLimit(.minutes(5)))
struct SettingsTests {
    @Test("The Swift Package Index builds the documentation of every module that has a catalog")
    func documentation() throws {
        let settings = try Repository.text(of: ".spi.yml").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let listed = settings.filter { $0.hasPrefix("- Martlet") }.map { String($0.dropFirst(2)) }
        let sources = Repository.root.appendingPathComponent("Sources")
        let catalogs = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { target in
            FileManager.default.fileExists(atPath: sources.appendingPathComponent("\(target)/\(target).docc").path)
        }
        #expect(catalogs.count > 15)
        #expect(Set(listed).symmetricDifference(catalogs).sorted() == [])
        #expect(Set(listed).count == listed.count)
    }

    @Test("The workflows name each action by its commit and each image by its digest, so that a moved tag changes nothing")
    func pins() throws {
        let folder = Repository.root.appendingPathComponent(".github/workflows")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yml") }
        let lines = try files.flatMap { file in
            try Repository.text(of: ".github/workflows/\(file)").split(separator: "\n").map { $0.drop { " -".contains($0) } }
        }
        let actions = lines.filter { $0.hasPrefix("uses:") }, images = lines.filter { $0.hasPrefix("container:") }
        #expect(actions.count > 3)
        #expect(images.count > 1)
        #expect(actions.filter { $0.firstMatch(of: /@[0-9a-f]{40} #/) == nil } == [])
        #expect(images.filter { $0.firstMatch(of: /@sha256:[0-9a-f]{64} #/) == nil } == [])
    }
}
