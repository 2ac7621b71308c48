internal import MartletSystem

/// A running call that observers see.
package final class ObservedCall: Sendable {
    private enum State {
        case created
        case started
        case ended
    }

    private static let numbers = Locked<UInt64>(0)

    package let info: CallInfo
    package let record: CallRecord
    private let state = Locked(State.created)

    package init(_ info: CallInfo, observers: [any CallObserver], time: any TimeSource) {
        self.info = info
        record = CallRecord(time: time, start: info.start) { event in for observer in observers { observer.observe(event, of: info) } }
    }

    /// Tells the observers that the call has started. Only the first request of the call counts.
    package func started(_ request: HTTPRequest?) {
        let isFirst = state.withLock { state in
            guard case .created = state else { return false }
            state = .started
            return true
        }
        if isFirst { record.notify?(.started(request)) }
    }

    /// Tells the observers that the call has ended. Later calls do nothing.
    package func ended(_ outcome: CallOutcome) {
        started(nil)
        let isFirst = state.withLock { state in
            guard case .started = state else { return false }
            state = .ended
            return true
        }
        if isFirst { record.notify?(.ended(outcome, after: record.elapsed)) }
    }

    /// Returns a number that no other call has.
    static func nextNumber() -> UInt64 {
        numbers.withLock { number in
            number += 1
            return number
        }
    }
}

extension EndpointClient {
    /// Begins the observation of a call, or returns nil if nobody observes, or if the call is part of one that is observed.
    ///
    /// The caller must pass on the options of ``ObservedCall/options(_:)`` and report the end of the call.
    package func observe(
        _ kind: CallInfo.Kind, _ endpoint: some Endpoint, _ options: CallOptions, operations: [CallInfo.Operation] = []
    ) -> ObservedCall? {
        let observers = observers
        guard !observers.isEmpty, options.context[only: ObservedCall.self] == nil else { return nil }
        let info = CallInfo(
            id: ObservedCall.nextNumber(), kind: kind, name: endpoint.endpointName,
            pathTemplate: endpoint.url == nil ? endpoint.path.template : "", operations: operations,
            tags: endpoint.options.tags.union(options.tags), start: time.now)
        return ObservedCall(info, observers: observers, time: time)
    }
}

extension CallOptions {
    /// Returns the options for the requests of an observed call.
    package func observed(by call: ObservedCall?) -> CallOptions {
        guard let call else { return self }
        var options = self
        options.context[only: ObservedCall.self] = call
        return options
    }
}
