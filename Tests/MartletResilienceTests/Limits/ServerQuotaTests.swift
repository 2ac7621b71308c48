import MartletTesting
import Testing

@testable import MartletResilience

@Suite("ServerQuota", .timeLimit(.minutes(5)))
struct ServerQuotaTests {
    @Test(
        "RateLimit and RateLimit-Policy are read as the draft defines them",
        arguments: [
            (#""default";r=50;t=30"#, nil, [ServerQuota(name: "default", remaining: 50, reset: .seconds(30))]),
            (
                #""burst";r=0;t=5, "daily";r=999;t=3600"#, nil,
                [
                    ServerQuota(name: "burst", remaining: 0, reset: .seconds(5)),
                    ServerQuota(name: "daily", remaining: 999, reset: .seconds(3_600)),
                ]
            ),
            (#""a";r=1"#, #""a";q=100;w=60"#, [ServerQuota(name: "a", remaining: 1, reset: .seconds(60))]),
            (#""a";r=1;t=2;pk=:c29tZQ==:"#, nil, [ServerQuota(name: "a", remaining: 1, reset: .seconds(2))]),
            (#""a,b";r=1;t=2"#, nil, [ServerQuota(name: "a,b", remaining: 1, reset: .seconds(2))]),
            (#""a";r=1"#, nil, []), (#""a";t=1"#, nil, []), (#""a";r=-1;t=1"#, nil, []), (#""a";r=x;t=1"#, nil, []), ("", nil, []),
            (#""a";r=5;t=9"#, #""a";q=1000;qu="content-bytes";w=60"#, []),
            (#""a";r=5;t=9"#, #""a";q=9;qu="request";w=60"#, [ServerQuota(name: "a", remaining: 5, reset: .seconds(9))]),
            ("default;r=50;t=30", nil, [ServerQuota(name: "default", remaining: 50, reset: .seconds(30))]),
            ("limit=100, remaining=50, reset=5", nil, []),
            (#""a";r=5;t=99999999999999999999"#, nil, [ServerQuota(name: "a", remaining: 5, reset: .seconds(Int32.max))]),
        ] as [(String, String?, [ServerQuota])])
    func read(field: String, policy: String?, quotas: [ServerQuota]) {
        var headers: HTTPFields = ["RateLimit": field]
        if let policy { headers["RateLimit-Policy"] = policy }
        #expect(ServerQuota.read(from: headers) == quotas)
    }

    @Test("The fields of earlier drafts are not read", arguments: ["RateLimit-", "X-RateLimit-"])
    func earlier(prefix: String) {
        var headers = HTTPFields()
        for (name, value) in ["Limit": "100", "Remaining": "0", "Reset": "30"] { headers[HTTPFieldName(prefix + name)] = value }
        #expect(ServerQuota.read(from: headers).isEmpty)
    }

    @Test(
        "A field that is not valid as a structured field is ignored (RFC 9651 §4.2)",
        arguments: [
            #""a\b";r=1;t=2"#, #""a";r=1;t=2;x="\n""#, "\"a\u{1}\";r=1;t=2", "\"ä\";r=1;t=2", "\"a\";r=1;t=2, \"\u{7F}\";r=3;t=4",
            #""a\"#, "\"a\tb\";r=1;t=2",
        ])
    func invalid(field: String) {
        #expect(ServerQuota.read(from: ["RateLimit": field]).isEmpty)
        #expect(ServerQuota.read(from: ["RateLimit": #""a";r=1"#, "RateLimit-Policy": "\(field);w=5"]).isEmpty)
    }

    @Test("Escaped quotes and backslashes in the name of a quota are read, and an invalid line does not affect another")
    func escapes() {
        let quota = [ServerQuota(name: #"a"\"#, remaining: 1, reset: .seconds(2))]
        #expect(ServerQuota.read(from: ["RateLimit": #""a\"\\";r=1;t=2"#]) == quota)
        var headers: HTTPFields = ["RateLimit": #""a\"\\";r=1;t=2"#]
        headers.append("RateLimit", #""b\b";r=1;t=2"#)
        #expect(ServerQuota.read(from: headers) == quota)
    }

    @Test("Only the first eight quotas of a response are read")
    func limit() {
        let field = (0..<50).map { #""\#($0)";r=1;t=1"# }.joined(separator: ",")
        #expect(ServerQuota.read(from: ["RateLimit": field]).count == 8)
    }
}
