import Foundation
import Testing

@Suite("The tables of guides", .timeLimit(.minutes(5)))
struct GuideTests {
    @Test("The guide on errors names each case of HTTPError, and the guide on metrics each label of an outcome")
    func errors() throws {
        let folder = "Sources/MartletHTTP/Errors", guides = "Sources/Martlet/Martlet.docc"
        let cases = try Repository.text(of: "\(folder)/HTTPError.swift").matches(of: /\n {4}case (\w+)\(/).map { String($0.1) }
        let labels = try Repository.text(of: "\(folder)/HTTPError+Kind.swift").matches(of: /: \("[^"]+", "(\w+)"/).map { String($0.1) }
        #expect(cases.count > 20 && labels.count == cases.count)
        let errors = try Repository.text(of: "\(guides)/ErrorsAndMessages.md")
        let metrics = try Repository.text(of: "\(guides)/MetricsAndTracing.md")
        #expect(cases.filter { !errors.contains("`.\($0)`") } == [])
        #expect(labels.filter { !metrics.contains("`\($0)`") } == [])
    }

    @Test("README.md and “Choosing products” name each product")
    func products() throws {
        let manifest = try Repository.text(of: "Package.swift")
        let list = manifest.components(separatedBy: "products: [")[1].components(separatedBy: "]")[0]
        let products = list.matches(of: /"(\w+)"/).map { String($0.1) }
        #expect(products.count > 10)
        for page in ["README.md", "Sources/Martlet/Martlet.docc/ChoosingProducts.md"] {
            let rows = try Repository.text(of: page).components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.joined()
            #expect(products.filter { !rows.contains("`\($0)`") && !rows.contains("``/\($0)``") } == [], "\(page)")
        }
    }
}
