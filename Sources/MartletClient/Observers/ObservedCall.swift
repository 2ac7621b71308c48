internal import MartletSystem

/// A running call that observers see.
package final class ObservedCall: Sendable {
    /// What changes while the call runs.
    struct State {
        enum Stage {
            case created
            case started
            case ended
        }

        var stage = Stage.created
        /// The number of events that observers are getting now, in parallel.
        var underway = 0
        /// The end of the call, until the observers have the events before it.
        var end: CallEvent?
        /// What observers keep of the call.
        var kept: [(observer: ObjectIdentifier, state: any AnyObject & Sendable)] = []
    }

    private static let numbers = Locked<UInt64>(0)

    package let info: CallInfo
    package let record: CallRecord
    private let observers: [any CallObserver]

    package init(
        _ kind: CallInfo.Kind, method: HTTPMethod? = nil, name: String, pathTemplate: String, operations: [CallInfo.Operation],
        tags: Set<String>, observers: [any CallObserver], time: any TimeSource, valueType: Any.Type? = nil
    ) {
        let info = CallInfo(
            id: ObservedCall.nextNumber(), kind: kind, name: name, pathTemplate: pathTemplate, operations: operations, tags: tags,
            start: time.now, method: method, valueType: valueType)
        self.info = info
        self.observers = observers
        record = CallRecord(time: time, start: info.start) { event in
            // The losing attempt of a hedged request, for example, may end after its call.
            let isRunning = info.state.withLock { state in
                guard state.stage != .ended else { return false }
                state.underway += 1
                return true
            }
            guard isRunning else { return }
            ObservedCall.tell(observers, event, info)
            let end = info.state.withLock { state in
                state.underway -= 1
                return state.underway == 0 ? state.end.take() : nil
            }
            if let end { ObservedCall.tell(observers, end, info) }
        }
    }

    private static func tell(_ observers: [any CallObserver], _ event: CallEvent, _ info: CallInfo) {
        for observer in observers { observer.observe(event, of: info) }
    }

    private func tell(_ event: CallEvent) { ObservedCall.tell(observers, event, info) }

    /// Whether the call has had a request.
    var hasStarted: Bool { info.state.withLock { $0.stage != .created } }

    /// Whether the call has not ended.
    var isRunning: Bool { info.state.withLock { $0.stage != .ended } }

    /// Tells the observers that the call has started. Only the first request of the call counts.
    package func started(_ request: HTTPRequest?) {
        let isFirst = info.state.withLock { state in
            guard state.stage == .created else { return false }
            state.stage = .started
            return true
        }
        if isFirst { tell(.started(request)) }
    }

    /// Tells the observers that the call has ended, after the events that they are getting now. Later calls do nothing.
    package func ended(_ outcome: CallOutcome) {
        // A request that was refused before it was sent is known by its error only.
        if case .failure(let error) = outcome { started(error.request) } else { started(nil) }
        let end = CallEvent.ended(outcome, after: record.elapsed)
        let isLast = info.state.withLock { state in
            guard state.stage == .started else { return false }
            state.stage = .ended
            if state.underway > 0 { state.end = end }
            return state.underway == 0
        }
        if isLast { tell(end) }
    }

    /// Tells the observers that the call has ended with a response. Not inlined: its temporaries would be part of the frame of each waiting
    /// call.
    @inline(never)
    func succeeded(_ status: HTTPStatus, _ headers: HTTPFields, _ metadata: ResponseMetadata) {
        ended(.success(HTTPResponse(status: status, headers: headers, body: (), metadata: metadata)))
    }

    /// Returns a number that no other call has.
    private static func nextNumber() -> UInt64 {
        numbers.withLock { number in
            number += 1
            return number
        }
    }
}

extension EndpointClient {
    /// Begins the observation of a call, or returns nil without observers, or if the call is part of one that is observed.
    ///
    /// The caller must send its requests with ``CallOptions/observed(by:)`` and report the end of the call.
    package func observe(
        _ kind: CallInfo.Kind, _ endpoint: some Endpoint, _ options: CallOptions, operations: [CallInfo.Operation] = [],
        valueType: Any.Type? = nil
    ) -> ObservedCall? {
        let observers = observers
        guard !observers.isEmpty, options.context.observedCall == nil else { return nil }
        let endpointOptions = endpoint.options
        guard endpointOptions.context.observedCall == nil else { return nil }
        return ObservedCall(
            kind, method: endpoint.method, name: endpoint.endpointName,
            pathTemplate: endpoint.url == nil ? endpoint.path.template : "", operations: operations,
            tags: endpointOptions.tags.union(options.tags), observers: observers, time: time, valueType: valueType)
    }

    /// Runs an operation of several requests as one call for observers. The operation must send its requests with the options that it gets.
    ///
    /// - Parameter head: Returns the head of the last response.
    package func observing<Value: Sendable>(
        _ kind: CallInfo.Kind, _ endpoint: some Endpoint, _ options: CallOptions, head: (Value) -> HTTPResponse<Void>?,
        _ operation: (CallOptions) async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        guard let observed = observe(kind, endpoint, options) else { return try await operation(options) }
        do throws(HTTPError) {
            let value = try await operation(options.observed(by: observed))
            observed.ended(.success(head(value)))
            return value
        } catch {
            observed.ended(.failure(error))
            throw error
        }
    }
}

extension RequestContext {
    /// The running call that observers see, or nil. A context that was copied from the request of an earlier call contains that call.
    package var observedCall: ObservedCall? {
        guard let call = runningCall as? ObservedCall, call.isRunning else { return nil }
        return call
    }
}

extension CallOptions {
    /// Returns the options for the requests of an observed call.
    package func observed(by call: ObservedCall?) -> CallOptions {
        guard let call else { return self }
        var options = self
        options.context.runningCall = call
        return options
    }
}
