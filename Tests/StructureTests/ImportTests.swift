import Foundation
import Testing

@Suite("Imports", .timeLimit(.minutes(5)))
struct ImportTests {
    /// The two targets over URLSession, and the programs `tour` and `inspect`, which no app links.
    private let exceptions = ["MartletURLSession", "MartletFoundation", "tour", "inspect"]

    @Test("Only the targets over URLSession import FoundationNetworking, which makes programs larger and slower to start")
    func foundationNetworking() throws {
        for (path, text) in try Repository.files(under: "Sources") where !exceptions.prefix(2).contains(where: { path.contains("/\($0)/") })
        {
            #expect(!text.contains("import FoundationNetworking"), "\(path)")
        }
    }

    @Test("Only MartletEssentials chooses between Foundation and FoundationEssentials")
    func foundation() throws {
        for (path, text) in try Repository.files(under: "Sources") where !exceptions.contains(where: { path.contains("/\($0)/") }) {
            #expect(!text.contains("import Foundation") || path == "Sources/MartletEssentials/MartletEssentials.swift", "\(path)")
        }
    }

    @Test("Only MartletSystem chooses between Glibc and Darwin")
    func systemLibrary() throws {
        for (path, text) in try Repository.files(under: "Sources") where !path.contains("/tour/") {
            let imports = ["Glibc", "Musl", "Darwin"].filter { text.contains("import \($0)") }
            #expect(imports.isEmpty || path == "Sources/MartletSystem/MartletSystem.swift", "\(path)")
        }
    }

    @Test("A file that appends to Data imports Data's module, because appending is a hundred times slower otherwise")
    func appends() throws {
        for (path, text) in try Repository.files(under: "Sources")
        where !text.contains("import MartletEssentials") && !text.contains("import Foundation") {
            for name in ["body", "data", "content", "chunk"] {
                #expect(!text.contains("\(name).append(contentsOf:") && !text.contains("\(name) += "), "\(path)")
            }
        }
    }
}
