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
        #expect(listed.sorted() == catalogs.sorted())
    }
}
