import Foundation
import Testing

@Suite("Imports of Foundation", .timeLimit(.minutes(5)))
struct ImportTests {
    /// The targets that use URLSession, or that no app links.
    private let exceptions = ["MartletURLSession", "MartletFoundation", "tour"]

    @Test("Only the targets over URLSession import FoundationNetworking, which makes a program larger and slower to start")
    func foundationNetworking() throws {
        for (path, text) in try Repository.files(under: "Sources") where !exceptions.prefix(2).contains(where: { path.contains("/\($0)/") })
        {
            #expect(!text.contains("import FoundationNetworking"), "\(path)")
        }
    }

    @Test("Foundation is imported only where FoundationEssentials is missing")
    func foundation() throws {
        for (path, text) in try Repository.files(under: "Sources") where !exceptions.contains(where: { path.contains("/\($0)/") }) {
            let lines = text.split(separator: "\n")
            for (line, previous) in zip(lines.dropFirst(), lines) where line.hasSuffix("import Foundation") {
                #expect(previous == "#else", "\(path)")
            }
            #expect(lines.first?.hasSuffix("import Foundation") != true, "\(path)")
        }
    }

    @Test("A file that appends to Data imports its module: otherwise the standard library appends byte by byte, a hundred times slower")
    func appends() throws {
        for (path, text) in try Repository.files(under: "Sources") where !text.contains("import Foundation") {
            for name in ["body", "data", "content", "chunk"] {
                #expect(!text.contains("\(name).append(contentsOf:") && !text.contains("\(name) += "), "\(path)")
            }
        }
    }
}
