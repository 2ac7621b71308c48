import Martlet
import Observation

/// The state that the app's view shows.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
final class BirdListModel {
    enum State: Equatable {
        case loading
        case loaded([Bird])
        case failed(String)
    }

    private(set) var state = State.loading
    /// A random bird of the list.
    private(set) var favourite: Bird?

    private let repository: BirdRepository
    private let time: any TimeSource
    private let random: any RandomSource

    /// Creates the model. Tests pass their own time and random numbers.
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
