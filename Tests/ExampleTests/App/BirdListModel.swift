import Martlet
import Observation

/// What the app's view shows.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
final class BirdListModel {
    enum State: Equatable {
        case loading
        case loaded([Bird])
        case failed(String)
    }

    private(set) var state = State.loading
    /// One bird of the list, by chance.
    private(set) var favourite: Bird?

    private let repository: BirdRepository
    private let time: any TimeSource
    private let random: any RandomSource

    /// Time and chance are given, so that a test has them in its hands.
    init(_ repository: BirdRepository, time: any TimeSource = .system, random: any RandomSource = .system) {
        self.repository = repository
        self.time = time
        self.random = random
    }

    func load() async {
        do throws(HTTPError) {
            let birds = try await repository.all()
            state = .loaded(birds)
            favourite = birds.isEmpty ? nil : birds[Int(random.fraction() * Double(birds.count))]
        } catch {
            state = .failed(HTTPErrorMapper().map(error).errorDescription ?? "")
        }
    }

    /// Loads once a minute until its task is cancelled.
    func keepFresh() async {
        while !Task.isCancelled {
            await load()
            do { try await time.sleep(for: .seconds(60)) } catch { return }
        }
    }
}
