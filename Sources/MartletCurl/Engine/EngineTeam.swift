internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// The engines of a transport, as seen by each of them and by senders.
///
/// A request that can run immediately is posted to the engine that it is dealt to. All others go to the first engine, which waits for their
/// names, files and connections, and then hands them over. The limits on lookups, opened files and waiting requests therefore hold for the
/// transport as a whole, and a waiting request runs on whichever engine has room first.
final class EngineTeam: Sendable {
    /// The inboxes of the engines, in their order.
    let inboxes: [EngineInbox]
    /// The inbox of the first engine.
    let front: EngineInbox
    /// The admission that several engines share; nil for a single engine, which has one without a lock.
    private let shared: Locked<Admission>?
    private let jobs: JobDeal

    /// Creates the inboxes. Returns nil if the process has no free descriptors.
    init?(_ deal: EngineDeal) {
        let inboxes = deal.shares.compactMap { _ in EngineInbox() }
        guard inboxes.count == deal.engines, let front = inboxes.first else { return nil }
        self.inboxes = inboxes
        self.front = front
        jobs = JobDeal(engines: deal.engines)
        shared = deal.engines > 1 ? Locked(Admission(deal)) : nil
    }

    /// The admission, as an engine of this team uses it.
    func admission(_ deal: EngineDeal) -> TeamAdmission { shared.map { .shared($0) } ?? .own(Admission(deal)) }

    /// Chooses the engine that gets a new transfer first.
    func deal(_ transfer: CurlTransfer) {
        var inbox = front
        if let shared, transfer.lookups.targets.isEmpty, transfer.file == nil,
            let engine = shared.withLock({ [index = here?.index] in $0.admit(transfer.origin, preferring: index) })
        {
            transfer.slot = .granted
            inbox = inboxes[engine]
        }
        transfer.entrance = inbox
        transfer.inbox = inbox
    }

    /// Posts a transfer that the limits on connections do not concern to an engine, by way of the first one if it needs a lookup.
    func deal(_ transfer: CurlTransfer, to engine: Int) {
        let isReady = transfer.lookups.targets.isEmpty
        if isReady { transfer.slot = .granted }
        transfer.entrance = isReady ? inboxes[engine] : front
        transfer.inbox = transfer.entrance
    }

    /// The number of the engine of this team that has the calling thread.
    var ownIndex: Int? { here?.index }

    /// Queues the job of a task on one of the engines.
    func run(_ job: EngineJob) {
        if let next = jobs.engine(for: job, from: here.map { ($0.jobs, $0.index) }) { inboxes[next].post(.run(job)) }
    }

    /// The engine of this team that has the calling thread.
    private var here: EngineLoop? { EngineLoop.current.flatMap { $0.team === self ? $0 : nil } }

    /// Ends the engines' threads after their running transfers.
    func close() { for inbox in inboxes { inbox.post(.close) } }

    /// The running requests of each engine. Nil for a single engine, which does not share them.
    var running: [Int]? { shared?.withLock { $0.running.all } }
}

/// The admission that an engine uses: its own, or that of all engines of its transport under a lock.
enum TeamAdmission {
    case own(Admission)
    case shared(Locked<Admission>)

    /// Runs `body`, which must not keep the admission.
    func use<Result: Sendable>(_ body: (Admission) -> Result) -> Result {
        switch self {
        case .own(let admission): body(admission)
        case .shared(let admission): admission.withLock { body($0) }
        }
    }
}
