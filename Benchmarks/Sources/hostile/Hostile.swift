import Foundation
import Martlet
import MartletWire
import Measuring

/// Sends many requests to a server that resets, truncates and maliciously encodes some responses, and cancels some of the calls. Fails on a
/// hang, on growth of memory or of descriptors after the first fifth of the calls, and on a call without an expected outcome.
///
/// Usage: hostile [executor] [wire] URL [COUNT] [MINUTES] [IN-FLIGHT] [SEED] [ENGINES]
///
/// `RETIRING_URL` and `MARTLET_AUTHORITY` name a server over HTTP/2 that retires its connections, and the file of its authority. Without
/// them, its calls go to URL.
@main
enum Hostile {
    /// The total timeout. It exceeds the duration of any call, so a call that reaches it is an unexpected outcome.
    private static let patience = Duration.seconds(30)

    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let usesExecutor = arguments.first == "executor"
        if usesExecutor { arguments.removeFirst() }
        let usesWire = arguments.first == "wire"
        if usesWire { arguments.removeFirst() }
        func number(_ place: Int, _ standard: Double) -> Double { arguments.count > place ? Double(arguments[place]) ?? -1 : standard }
        let count = Int(number(1, 1_000_000)), minutes = number(2, 10), inFlight = Int(number(3, 64)), seed = Int(number(4, 1))
        guard let url = arguments.first.flatMap({ URL(string: $0) }), count > 0, minutes > 0, inFlight > 0, seed >= 0 else {
            print("usage: hostile [executor] [wire] URL [COUNT] [MINUTES] [IN-FLIGHT] [SEED] [ENGINES]")
            exit(64)
        }
        var configuration = HTTPClient.Configuration(totalTimeout: patience)
        configuration.limits.bodyBytes = 1_000_000
        var connections = TransportConfiguration()
        if arguments.count > 5, let engines = Int(arguments[5]) { connections.engines = engines }
        let environment = ProcessInfo.processInfo.environment
        if let authority = environment["MARTLET_AUTHORITY"] { connections.tls.trust = .file(authority) }
        let wire = usesWire ? WireTransport(connections) : nil
        let transport = wire.map { PlatformTransport(connections, plainHTTP: $0) } ?? PlatformTransport(connections)
        let executor = usesExecutor ? wire?.taskExecutor ?? transport.taskExecutor : nil
        let soak = Soak(
            client: HTTPClient(baseURL: url, transport: transport, configuration: configuration),
            retiring: environment["RETIRING_URL"].flatMap { URL(string: $0) }, executor: executor, ledger: Ledger(), count: count,
            length: .seconds(minutes * 60), inFlight: inFlight, seed: UInt64(seed))
        let watch = Task { await endWhenNothingMoves(soak.ledger) }
        var problems = try await withTaskExecutorPreference(soak.executor) { try await soak.run() }
        watch.cancel()
        problems += await soak.ledger.problems
        print(await soak.ledger.summary)
        let rest = await soak.client.drain(within: .seconds(5))
        if rest != DrainSummary() { problems.append("calls were running after the last had ended: \(rest)") }
        for problem in problems { print("FAILED: \(problem)") }
        if !problems.isEmpty { exit(1) }
    }

    /// Ends the process when calls are running and none of them ends for twice the longest time that one may take.
    private static func endWhenNothingMoves(_ ledger: Ledger) async {
        var before = 0, wereRunning = false
        while !Task.isCancelled {
            let ended = await ledger.ended
            // Between calls that are sent rarely none ends either.
            if wereRunning, ended == before {
                print("FAILED: a hang: no call has ended for \(patience * 2). \(await ledger.summary)")
                exit(1)
            }
            (before, wereRunning) = (ended, await ledger.sent > ended)
            try? await Task.sleep(for: patience * 2)
        }
    }
}

/// One run of the soak.
struct Soak: Sendable {
    let client: HTTPClient
    /// A server over HTTP/2 that retires its connections.
    let retiring: URL?
    /// The executor of the tasks that make the calls; nil for Swift's task pool.
    let executor: (any TaskExecutor)?
    let ledger: Ledger
    let count: Int
    let length: Duration
    let inFlight: Int
    let seed: UInt64

    private static let steps = 10

    /// Sends all calls in ten steps. Returns which resources grew after the second step.
    func run() async throws -> [String] {
        let start = ContinuousClock.now
        var warm: Reading?, problems: [String] = []
        for step in 0..<Soak.steps {
            await send(count * step / Soak.steps..<count * (step + 1) / Soak.steps, start)
            let reading = try Reading()
            print("\(await ledger.ended) calls, \(Int((ContinuousClock.now - start) / .seconds(1))) s: \(reading)")
            // A run takes minutes, and output to a file is buffered.
            fflush(nil)
            if step == 1 { warm = reading }
            guard step == Soak.steps - 1, let warm else { continue }
            if reading.kilobytes > warm.kilobytes * 5 / 4 + 4096 { problems.append("memory has grown from \(warm) to \(reading)") }
            if reading.descriptors > warm.descriptors + 8 { problems.append("descriptors have grown from \(warm) to \(reading)") }
            // Connections come and go: more calls run at the same time while the machine is busy.
            if reading.sockets > inFlight + 8 { problems.append("there are more connections than calls in flight: \(reading)") }
        }
        return problems
    }

    /// Sends each call when it is due, with at most `inFlight` calls running.
    private func send(_ numbers: Range<Int>, _ start: ContinuousClock.Instant) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                group.addTask {
                    for number in stride(from: numbers.lowerBound + worker, to: numbers.upperBound, by: inFlight) {
                        let due = start + length * (Double(number) / Double(count))
                        if due > .now { try? await Task.sleep(until: due, clock: .continuous) }
                        await call(number)
                    }
                }
            }
        }
    }

    private func call(_ number: Int) async {
        let plan = Plan(number, seed: seed)
        await ledger.begin()
        let call = Task(executorPreference: executor) { await client.result(of: request(plan)) }
        if let wait = plan.cancellation {
            try? await Task.sleep(for: wait)
            call.cancel()
        }
        await ledger.end(number, plan, Outcome(await call.value))
    }

    private func request(_ plan: Plan) -> Request<Data> {
        guard case .retired = plan.reply, let retiring else { return Request(method: .get, path: plan.path) }
        return Request(method: .post, path: plan.path, body: .data(Data("text".utf8))).relative(to: retiring)
    }
}

/// The memory and descriptors of this process.
private struct Reading: CustomStringConvertible {
    let kilobytes: Int
    /// The descriptors other than sockets.
    let descriptors: Int
    let sockets: Int

    init() throws {
        kilobytes = try Memory.resident()
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        sockets = links.count { $0?.hasPrefix("socket:") ?? false }
        descriptors = links.count - sockets
    }

    var description: String { "\(kilobytes) KB resident, \(descriptors) descriptors, \(sockets) sockets" }
}
