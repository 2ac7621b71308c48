import Foundation
import Testing

@Suite("Interceptors", .timeLimit(.minutes(5)))
struct InterceptorTests {
    /// Returns the protocols of each public interceptor by its name.
    private func interceptors() throws -> [String: String] {
        let declarations = try Repository.files(under: "Sources").values.flatMap { text in
            text.matches(of: /\npublic (?:struct|final class|actor) (\w+): ([^{\n]*\b(?:Interceptor|RequestModifier)\b[^{\n]*)\{/)
                .map { (String($0.1), String($0.2)) }
        }
        return Dictionary(uniqueKeysWithValues: declarations)
    }

    @Test("An interceptor states whether it may add a credential, because GraphQL's document cache is not used behind one that does not")
    func credentials() throws {
        let interceptors = try interceptors()
        #expect(interceptors.count > 10)
        #expect(interceptors.filter { !$0.value.contains("CredentialAddingInterceptor") }.keys.sorted() == [])
    }

    @Test("EndingWithCallTests has each interceptor, because one that does not end by the deadline makes all calls of its client slower")
    func deadlines() throws {
        let tests = try Repository.text(of: "Tests/MartletClientTests/Client/EndingWithCallTests.swift")
        let missing = try interceptors().keys.filter { !tests.contains("\($0)(") }
        #expect(missing.sorted() == [])
    }
}
