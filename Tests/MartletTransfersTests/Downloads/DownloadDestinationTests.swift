import Foundation
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct DownloadDestinationTests {
    private let key = String(repeating: "a", count: 64)

    @Test("The part file is hidden beside the target, even for a name of the maximum length")
    func parts() throws {
        let place = try DownloadDestination(file: URL(fileURLWithPath: "/f/song.ogg"), key: key)
        #expect(place.partPath == "/f/.song.ogg.part" && place.recordPath == "/f/.song.ogg.part-info" && place.knownPath == "/f/song.ogg")
        let long = try DownloadDestination(file: URL(fileURLWithPath: "/f/" + String(repeating: "n", count: 250)), key: key)
        #expect(long.partPath == "/f/.download-aaaaaaaaaaaaaaaa.part")
        let folder = try DownloadDestination(folder: URL(fileURLWithPath: "/f"), key: key)
        #expect(folder.partPath == "/f/.download-aaaaaaaaaaaaaaaa.part" && folder.knownPath == nil)
    }

    @Test("A second file of the same name gets a number before its extension")
    func numbered() {
        #expect(DownloadDestination.numbered("/f/a.tar.gz", 2) == "/f/a.tar 2.gz")
        #expect(DownloadDestination.numbered("/f.d/a", 2) == "/f.d/a 2" && DownloadDestination.numbered("/f/.hidden", 3) == "/f/.hidden 3")
        let long = DownloadDestination.numbered("/f/" + String(repeating: "é", count: 125) + ".pdf", 12).dropFirst(3)
        #expect(long.utf8.count <= 255 && long.hasSuffix("é 12.pdf"))
    }

    @Test("Without a name, the response's URL determines it, and otherwise a default name is used")
    func names() throws {
        func name(_ url: String, _ field: String? = nil) throws -> String {
            var response = HTTPResponse(status: .ok, headers: field.map { [.contentDisposition: $0] } ?? [:], body: ())
            let request = HTTPRequest(method: .get, url: try #require(URL(string: url)))
            response.metadata.request = request
            return DownloadDestination.name(for: response, of: request)
        }
        #expect(try name("https://a.example/dir/report%20x.pdf?y=1") == "report x.pdf")
        #expect(try name("https://a.example/") == "download" && name("https://a.example") == "download")
        #expect(try name("https://a.example/a%2F..%2F..%2Fpasswd") == "passwd")
        #expect(try name("https://a.example/x", "attachment; filename=\"..\\\\..\\\\evil.exe\"") == "evil.exe")
    }
}
