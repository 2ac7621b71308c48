import Foundation
import TestSupport
import Testing

@testable import MartletHTTP

private let mask = Redaction.mask

@Suite("Redaction: keys, hooks and credentials known by shape", .timeLimit(.minutes(5)))
struct KnownSecretsTests {
    @Test("A key known by its shape is masked wherever it is", arguments: KnownKeys.all)
    func known(key: String) {
        for text in [
            key, "rejected \(key), try another", "id=\(key)", "id:\(key)\n", "'\(key)'", #"{"note":"\#(key)"}"#, "<Id>\(key)</Id>",
            "a=1&b=\(key)&c=2",
        ] {
            #expect(!Redaction.text(text).contains(key.suffix(8)), "\(Redaction.text(text))")
        }
        for address in ["https://h/p?id=\(key)", "https://h/p/\(key)/q", "https://h/#\(key)"] {
            #expect(!Redaction.address(address).contains(key.suffix(8)), "\(Redaction.address(address))")
            #expect(!Redaction.text("at \(address) it failed").contains(key.suffix(8)))
        }
    }

    @Test("The text next to a key is kept")
    func neighbours() {
        #expect(Redaction.text("key \(KnownKeys.all[0]), then") == "key \(mask), then")
        #expect(Redaction.address("https://h/a/\(KnownKeys.all[2])/b?q=1") == "https://h/a/\(mask)/b?q=1")
    }

    @Test(
        "Words that begin like a key are kept",
        arguments: [
            "AKIA", "AKIAX", "AKIAlowercaseletters", "ghp_", "ghp_short", "sk-", "sk-circle-fade-dot-animation", "sk_live_", "xoxo", "SG.1",
            "AIza", "npm_config", "npm_config_registry", "bot123:abc", "123456:78", "12:30:45", "2026-03-01T10:00:00", "whsec_",
            "1700000000:1700000060", "SG.abc.def", "task-abcdefghij0123456789ABCDEFGHIJ",
        ])
    func similar(text: String) {
        #expect(Redaction.text(text) == text)
        #expect(Redaction.address("https://h/\(text)") == "https://h/\(text)")
    }

    @Test(
        "The secret part of a hook's path is masked",
        arguments: [
            (
                "https://hooks.slack.com/services/T01234567/B01234567/" + "XXXXXXXXXXXXXXXXXXXXXXXX",
                "https://hooks.slack.com/services/T01234567/B01234567/\(mask)"
            ),
            (
                "https://hooks.slack.com/services/T01234567/B01234567/" + "XXXXXXXXXXXXXXXXXXXXXXXX?a=1#b",
                "https://hooks.slack.com/services/T01234567/B01234567/\(mask)?a=1#b"
            ),
            (
                "https://hooks.slack.com/workflows/T01234567/A01234567/1234567/" + "abcdefgh0123456789abcdef",
                "https://hooks.slack.com/workflows/T01234567/A01234567/1234567/\(mask)"
            ),
            (
                "https://hooks.slack.com/triggers/T01234567/1234567890/" + "abcdefgh0123456789abcdef",
                "https://hooks.slack.com/triggers/T01234567/1234567890/\(mask)"
            ),
            (
                "https://api.telegram.org/bot123456:" + "ABC-DEF1234ghIkl-zyx57W2v1u123ew11/getMe",
                "https://api.telegram.org/\(mask)/getMe"
            ),
            (
                "https://api.telegram.org/file/bot123456:" + "ABC-DEF1234ghIkl-zyx57W2v1u123ew11/photos/a.jpg",
                "https://api.telegram.org/file/\(mask)/photos/a.jpg"
            ),
            (
                "https://api.telegram.org/bot123456%3A" + "ABC-DEF1234ghIkl-zyx57W2v1u123ew11/getMe",
                "https://api.telegram.org/\(mask)/getMe"
            ),
            (
                "https://discord.com/api/webhooks/123456789012345678/" + "abcdefghijABCDEFGHIJ0123456789abcdefghij/messages/1",
                "https://discord.com/api/webhooks/123456789012345678/\(mask)/messages/1"
            ),
        ])
    func hooks(url: String, shown: String) {
        #expect(Redaction.address(url) == shown)
        #expect(Redaction.text("POST \(url) failed") == "POST \(shown) failed")
        #expect(Redaction.text(#"{"hook":"\#(url)"}"#) == #"{"hook":"\#(shown)"}"#)
    }

    @Test("The secret of a hook is masked in a path without a host too")
    func hookPath() {
        let path = "/services/T01234567/B01234567/"
        #expect(Redaction.address(path + "XXXXXXXXXXXXXXXXXXXXXXXX") == path + mask)
    }

    @Test(
        "A path that only looks like a hook's is kept",
        arguments: [
            "/services/T/B/x", "/services/accounts/users/12345678901234567890", "/services/T01234567", "/services/T01234567/B01234567/",
            "/webhooks/12/events", "/webhooks/123456789012345678", "/bots/12", "/token:exchange", "/services//", "/webhooks//", "/",
        ])
    func plainPaths(path: String) { #expect(Redaction.address("https://h" + path) == "https://h" + path) }

    @Test(
        "Basic credentials are masked in prose",
        arguments: [
            ("said: Basic dXNlcjpTM0NSRVQ= again", "said: Basic \(mask) again"), ("basic dXNlcjpTM0NSRVQ=", "basic \(mask)"),
            ("BASIC\tdXNlcjpTM0NSRVQ", "BASIC\t\(mask)"), (#"{"sent":"Basic dXNlcjpTM0NSRVQ="}"#, #"{"sent":"Basic ‹redacted›"}"#),
            ("curl -H 'X: Basic dXNlcjpTM0NSRVQ='", "curl -H 'X: Basic \(mask)'"), ("(Basic dXNlcjpTM0NSRVQ=).", "(Basic \(mask))."),
        ])
    func basic(text: String, shown: String) { #expect(Redaction.text(text) == shown) }

    @Test(
        "Basic as a word is kept",
        arguments: [
            "Basic authentication", "Basic Authentication is not supported", "a basic example of that", "Basic JavaScript", "Basic",
            "Basic realm=\"api\"", "Visual Basic 6.0", "basic information", "Basic Operations", "Basic Only",
        ])
    func basicWords(text: String) { #expect(Redaction.text(text) == text) }

    @Test(
        "The value after the name of a secret is masked in XML-RPC and property lists",
        arguments: [
            (
                "<member><name>password</name><value><string>S3CRET</string></value></member><a>1</a>",
                "<member><name>password</name><value>\(mask)</value></member><a>1</a>"
            ),
            (
                "<member>\n <name> pin </name>\n <value>\n <int>53</int>\n </value></member>",
                "<member>\n <name> pin </name>\n <value>\(mask)</value></member>"
            ),
            (
                "<name>recoveryCodes</name><value><array><data><value>S3</value><value>CRET</value></data></array></value><b/>",
                "<name>recoveryCodes</name><value>\(mask)</value><b/>"
            ),
            ("<dict><key>Password</key><string>S3CRET</string></dict>", "<dict><key>Password</key><string>\(mask)</string></dict>"),
            ("<key>token</key><data>UzNDUkVU</data>", "<key>token</key><data>\(mask)</data>"),
            ("<name>password</name><value><string>S3CRET", "<name>password</name><value>\(mask)"),
            ("<name>password</name><value type='x'>S3CRET</value>", "<name>password</name><value type='x'>\(mask)</value>"),
            ("<NAME>password</NAME><VALUE>S3CRET</VALUE >.", "<NAME>password</NAME><VALUE>\(mask)</VALUE >."),
            ("<name>password</name><value/><b>1</b>", "<name>password</name><value/><b>1</b>"),
        ])
    func namedValues(xml: String, shown: String) { #expect(Redaction.text(xml) == shown) }

    @Test(
        "A value after another name, and an element of another kind after a secret one, are kept",
        arguments: [
            "<name>city</name><value>Bern</value>", "<Key>token.jpg</Key><Size>12</Size>", "<name>password</name><id>1</id>",
            "<name>password</name> is a <value>1</value>", "<name>password", "<name>password</name>",
            "<name><b>password</b></name><value>1</value>",
            "<names>password</names><value>1</value>",
        ])
    func otherValues(xml: String) { #expect(Redaction.text(xml) == xml) }
}
