import MartletCurl
import MartletEssentials
import MartletHTTP

/// Prints how a request to a closed port failed, which codings could be decoded and a digest: each needs a library of the system.
@main
enum LibraryProbe {
    static func main() async {
        guard let url = URL(string: "http://127.0.0.1:1/") else { return }
        do { _ = try await CurlTransport().send(HTTPRequest(url: url)) } catch { print(error) }
        print(ContentDigest(.sha256, of: Data(count: 4096)).hexadecimal)
    }
}
