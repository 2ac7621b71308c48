import Martlet
import Observation

struct Bird: Codable, Equatable {
    let id: Int
    let name: String
}

struct ListBirds: Endpoint {
    typealias Response = [Bird]
    var path: Path { "birds" }
}

/// The state that a view shows. It takes any client, so that a test can pass a mock.
@MainActor @Observable
final class BirdListModel {
    private(set) var birds: [Bird] = []
    private(set) var message: String?
    private(set) var isLoading = false

    private let http: any HTTPClientProtocol

    init(http: any HTTPClientProtocol) { self.http = http }

    func load() async {
        isLoading = true
        defer { isLoading = false }
        do {
            birds = try await http.send(ListBirds())
            message = nil
        } catch {  // error is HTTPError
            message = error.errorDescription  // nil after a cancellation, which needs no message
        }
    }
}
