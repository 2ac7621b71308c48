import Martlet

/// How a job ended.
enum JobOutcome: Sendable {
    case invoiced(order: Int, cents: Int)
    /// The worker stopped before the job was done.
    case putBack(order: Int)
    case failed(order: Int, reason: String)
}

/// Takes orders from a queue and creates their invoices.
struct Worker: Sendable {
    let partner: HTTPClient
    let maxConcurrentJobs: Int
    /// Called with the outcome of each job.
    let report: @Sendable (JobOutcome) -> Void

    /// Works until the queue is closed and the jobs that have begun have ended.
    func run(_ queue: JobQueue) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while true {
                if running == maxConcurrentJobs {
                    await group.next()
                    running -= 1
                }
                guard let order = await queue.next() else { break }
                group.addTask {
                    let outcome = await invoice(order)
                    if case .putBack(let order) = outcome { await queue.add([order]) }
                    report(outcome)
                }
                running += 1
            }
        }
    }

    private func invoice(_ id: Int) async -> JobOutcome {
        do throws(HTTPError) {
            let order = try await partner.send(GetOrder(id: id))
            let rates = try await partner.send(GetRates())  // from the cache, except once a minute
            guard let rate = rates[order.currency] else { return .failed(order: id, reason: "no rate for \(order.currency)") }
            guard let cents = Int(exactly: (Double(order.cents) / rate).rounded()) else {
                return .failed(order: id, reason: "the rate \(rate) is not usable")  // the partner sends it, and it may be 0
            }
            let invoice = try await partner.send(CreateInvoice(order: id, cents: cents))
            return .invoiced(order: id, cents: invoice.cents)
        } catch {
            switch error {
            case .cancelled, .draining: return .putBack(order: id)
            default: return .failed(order: id, reason: "\(error)")  // for developers, without secrets
            }
        }
    }
}
