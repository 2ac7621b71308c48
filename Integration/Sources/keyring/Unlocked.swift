import Foundation
import Martlet
import MartletKeychain

/// Checks an unlocked keyring, which stores tokens.
enum Unlocked {
    private static func store(_ account: String) -> SecretServiceTokenStore {
        SecretServiceTokenStore(service: "martlet.integration", account: account)
    }

    static func check() async throws {
        try await life()
        try await shapes()
        try await corrupt()
        try await concurrent()
        try await provider()
        try await Keyring.store.save(Keyring.token)
    }

    private static func life() async throws {
        let ada = store("ada"), bob = store("bob"), elsewhere = SecretServiceTokenStore(service: "martlet.elsewhere", account: "ada")
        try await expect(ada.load(), nil)
        let token = AccessToken(
            "t1", refreshToken: "r1", type: "DPoP", expiry: Date(timeIntervalSince1970: 1_900_000_000.25), issued: Date(),
            scopes: ["a", "b"])
        try await ada.save(token)
        try await bob.save(AccessToken("bob's"))
        try await elsewhere.save(AccessToken("elsewhere's"))
        try await expect(store("ada").load(), token)
        try await ada.save(AccessToken("t2"))
        try await expect(ada.load(), AccessToken("t2"))
        try await ada.clear()
        try await ada.clear()
        try await expect(ada.load(), nil)
        try await expect(bob.load(), AccessToken("bob's"))
        try await expect(elsewhere.load(), AccessToken("elsewhere's"))
    }

    private static func shapes() async throws {
        let values = [
            "", "naïve 🐦 日本語 \u{202E}", "\u{0}\u{1}\n\"\\/", String(repeating: "x", count: 200_000), String(repeating: "é🐦", count: 20_000),
        ]
        for value in values {
            for account in ["shapes", "ünï 🐦 \n'\"\\", ""] {
                try await store(account).save(AccessToken(value, refreshToken: value))
                try await expect(store(account).load() == AccessToken(value, refreshToken: value), true)
                try await store(account).clear()
            }
        }
    }

    /// Checks damaged values that another program stored. Uses `secret-tool` if it is installed.
    private static func corrupt() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/secret-tool") else { return }
        let broken = store("broken")
        for (text, expected) in [
            ("not JSON s3cr3t", TokenStoreError.Kind.corrupt("")), (#"{"version":2,"token":{"value":"s3cr3t"}}"#, .unknownVersion(2)),
        ] {
            try store(text, account: "broken")
            for _ in 0..<2 { try await expectFailure(expected) { _ = try await broken.load() } }
        }
        try await broken.save(AccessToken("mended"))
        try await expect(broken.load(), AccessToken("mended"))
    }

    private static func store(_ text: String, account: String) throws {
        let tool = Process(), input = Pipe()
        tool.executableURL = URL(fileURLWithPath: "/usr/bin/secret-tool")
        tool.arguments = ["store", "--label=x", "service", "martlet.integration", "account", account, "xdg:schema", "martlet.AccessToken"]
        tool.standardInput = input
        try tool.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        tool.waitUntilExit()
        try expect(tool.terminationStatus, 0)
    }

    private static func concurrent() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let store = store("user \(number % 8)")
                    for round in 0..<10 {
                        try await store.save(AccessToken("\(number % 8) \(round)"))
                        let token = try await store.load()
                        try expect(token?.value.hasPrefix("\(number % 8) "), true)
                    }
                }
            }
            for _ in 0..<200 { group.addTask { try await expect(store("bob").load(), AccessToken("bob's")) } }
            try await group.waitForAll()
        }
        try Keyring.expectOneThread()
    }

    private static func provider() async throws {
        let provider = KeychainTokenProvider(service: "martlet.integration", account: "provider") { expired in
            AccessToken("fresh", refreshToken: expired.refreshToken)
        }
        try await store("provider").save(AccessToken("old", refreshToken: "r"))
        try await expect(provider.token(replacing: AccessToken("old", refreshToken: "r"))?.value, "fresh")
        try await expect(store("provider").load()?.value, "fresh")
    }
}

/// Returns the number of threads for blocking calls.
func threadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { id in
        (try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)) == "martlet.secrets\n"
    }.count
}
