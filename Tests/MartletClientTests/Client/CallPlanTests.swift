import Foundation
import MartletTesting
import Testing

@testable import MartletClient

@Suite("CallPlan", .timeLimit(.minutes(5)))
struct CallPlanTests {
    private let start = ContinuousClock.now

    private func plan(
        _ request: Request<Data>, _ options: CallOptions = CallOptions(), isStreamed: Bool = false,
        taskDeadline: ContinuousClock.Instant? = nil, _ configuration: HTTPClient.Configuration = .init()
    ) throws(HTTPError) -> CallPlan {
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example/v1"), transport: MockTransport(), configuration: configuration, time: ManualTime())
        return try CallPlan(
            request, options, accept: "text/plain", streamsBody: isStreamed, client.settings, at: start, taskDeadline: taskDeadline)
    }

    @Test("The request has the URL, the fields of the client, and the limits of the call before those of the client")
    func request() throws {
        let configuration = HTTPClient.Configuration(
            attemptTimeout: .seconds(9), limits: ResponseLimits(bodyBytes: 7), headers: ["X-App": "1"])
        let plan = try plan(
            .get("users", headers: ["X-Own": "2"]), CallOptions(idleTimeout: .seconds(3)), isStreamed: true, configuration)
        let context = plan.request.context
        #expect(plan.request.url.absoluteString == "https://api.example/v1/users" && plan.unexaminedBody == nil)
        #expect(plan.request.headers == ["X-Own": "2", "Accept": "text/plain", "X-App": "1"])
        #expect(context.streamsBody && context.limits.bodyBytes == 7 && context.followsRedirects)
        #expect(context.attemptTimeout == .seconds(9) && context.idleTimeout == .seconds(3))
        #expect(context.deadline == start + .seconds(60) && context.record == nil && context.call == nil)
    }

    @Test("The idle timeout for the head limits only a streamed call")
    func headTimeout() throws {
        var options = CallOptions()
        options.context.headTimeout = .seconds(4)
        #expect(try plan(.get("a"), options, isStreamed: true).request.context.deadline == start + .seconds(4))
        #expect(try plan(.get("a"), options).request.context.deadline == start + .seconds(60))
    }

    @Test("Redirects and accepted statuses are those of the call before those of the request and the client")
    func rules() throws {
        let own = try plan(.get("a").validating(.codes([404])))
        #expect(own.validation.accepts(.notFound) && !own.validation.accepts(.ok) && own.redirects.maxRedirects == 20)
        let call = try plan(
            .get("a").validating(.codes([404])), CallOptions(redirects: .follow(maxRedirects: 2), validation: StatusValidation.none))
        #expect(call.validation.accepts(.ok) && call.redirects.maxRedirects == 2)
    }

    @Test("A call that starts at or after the deadline of its task has no plan, and its error has the request")
    func late() {
        let error = #expect(throws: HTTPError.timeout) { try plan(.get("users"), taskDeadline: start) }
        #expect(error?.request?.url.path == "/v1/users" && error?.context.stage == .request)
        #expect(throws: Never.self) { try plan(.get("users"), taskDeadline: start + .nanoseconds(1)) }
    }

    @Test("A request that can't be sent has no plan")
    func refused() {
        #expect(throws: HTTPError.self) { try plan(.get("a/\(".")")) }
        #expect(throws: HTTPError.self) { try plan(.get("a", headers: ["X": "a\r\nb"])) }
    }

    @Test("The request has no body until its files have been examined, and is checked with it")
    func files() throws {
        let file = RequestBody.examined(contentType: "a/b") { () throws(HTTPError) in .empty }
        var plan = try plan(.post("a", headers: ["Content-Length": "3"], body: file))
        #expect(plan.unexaminedBody != nil && plan.request.body == nil && plan.request.headers[.contentType] == "a/b")
        #expect(throws: HTTPError.self) { try plan.examined(HTTPBody(Data("ab".utf8))) }
        try plan.examined(HTTPBody(Data("abc".utf8)))
        #expect(plan.unexaminedBody == nil && plan.request.body?.length == 3)
    }
}

@Suite("CallTimeLimits", .timeLimit(.minutes(5)))
struct CallTimeLimitsTests {
    private let start = ContinuousClock.now

    private func limits(
        total: Duration? = nil, client: Duration? = .seconds(60), idle: Duration? = .seconds(30), head: Duration? = nil,
        hasObservedBody: Bool = false, task: Duration? = nil
    ) -> CallTimeLimits {
        CallTimeLimits(
            total: total, clientTotal: client, idle: idle, head: head, hasObservedBody: hasObservedBody, at: start,
            taskDeadline: task.map { start + $0 })
    }

    @Test("The timeout of the call comes before that of the client, and unlimited means no deadline")
    func total() {
        #expect(limits().deadline == start + .seconds(60))
        #expect(limits(total: .seconds(5)).deadline == start + .seconds(5))
        #expect(limits(total: .unlimited).deadline == nil && limits(client: nil).deadline == nil)
        #expect(limits(total: .seconds(5)).explanation(at: start + .seconds(5))?.contains("total timeout of 5.00 s") == true)
        #expect(limits(client: nil).explanation(at: start) == nil)
    }

    @Test("The deadline of the task applies if it is the earlier one, and explains a timeout after it")
    func task() {
        let early = limits(task: .seconds(2)), late = limits(task: .seconds(90)), only = limits(client: nil, task: .seconds(90))
        #expect(early.deadline == start + .seconds(2) && early.endsWithTask)
        #expect(late.deadline == start + .seconds(60) && !late.endsWithTask)
        #expect(only.deadline == start + .seconds(90) && only.endsWithTask)
        #expect(early.explanation(at: start + .seconds(2))?.contains("deadline of the task") == true)
        #expect(early.explanation(at: start + .seconds(1))?.contains("60.00 s") == true)
    }

    @Test("The idle timeout for the head is the deadline if it is shorter than the total timeout, and explains a timeout")
    func head() {
        let short = limits(head: .seconds(20)), only = limits(client: nil, head: .seconds(90)), long = limits(head: .seconds(60))
        #expect(short.deadline == start + .seconds(20) && only.deadline == start + .seconds(90) && long.deadline == start + .seconds(60))
        #expect(short.explanation(at: start + .seconds(20)) == "no response for the idle timeout of 20.00 s")
        #expect(long.explanation(at: start + .seconds(60)) == "no response within the total timeout of 60.00 s")
        #expect(limits(client: nil, head: .unlimited).deadline == nil)
        let task = limits(head: .seconds(20), task: .seconds(2))
        #expect(task.deadline == start + .seconds(2) && task.endsWithTask)
    }

    @Test("A call with an observed body has a limit for silence in place of the client's total timeout, but keeps its own")
    func silence() {
        let observed = limits(hasObservedBody: true), own = limits(total: .seconds(5), hasObservedBody: true)
        #expect(observed.deadline == nil && observed.silence == .seconds(60))
        #expect(limits(client: nil, hasObservedBody: true).silence == .seconds(30))
        #expect(own.deadline == start + .seconds(5) && own.silence == nil && limits().silence == nil)
        #expect(observed.explanation(at: start)?.contains("total timeout of 60.00 s") == true)
        #expect(limits(client: nil, hasObservedBody: true).explanation(at: start)?.contains("idle timeout of 30.00 s") == true)
    }
}

@Suite("RequestTrail", .timeLimit(.minutes(5)))
struct RequestTrailTests {
    private let first = HTTPRequest(method: .post, url: URL(string: "https://a.example/1")!, body: HTTPBody(Data("x".utf8)))

    private func redirect(_ status: HTTPStatus, to location: String) -> HTTPResponse<HTTPBody> {
        HTTPResponse(status: status, headers: [.location: location], body: HTTPBody(Data("moved".utf8)))
    }

    @Test("A redirect becomes the next request, and its body is dropped; the last response names all URLs and its request")
    func follows() throws {
        var trail = RequestTrail(request: first, policy: .follow())
        var response = redirect(.seeOther, to: "/2")
        #expect(try trail.redirects(after: &response))
        #expect(trail.request.method == .get && trail.request.url.path == "/2" && response.body.buffered?.isEmpty == true)
        response = redirect(.found, to: "https://b.example/3")
        #expect(try trail.redirects(after: &response))
        #expect(trail.request.context.passedOrigins == [try #require(Origin(first.url))])
        response = HTTPResponse(status: .ok, body: HTTPBody(Data("end".utf8)))
        #expect(try !trail.redirects(after: &response))
        #expect(response.metadata.redirects.map(\.absoluteString) == ["https://a.example/2", "https://b.example/3"])
        #expect(response.metadata.request?.url.absoluteString == "https://b.example/3" && response.body.buffered == Data("end".utf8))
    }

    @Test("A redirect that the policy does not follow is delivered with its body")
    func delivers() throws {
        var trail = RequestTrail(request: first, policy: .none), response = redirect(.found, to: "/2")
        #expect(try !trail.redirects(after: &response))
        #expect(response.body.buffered == Data("moved".utf8) && trail.request.url == first.url)
    }

    @Test("A redirect beyond the limit is refused with the request and the stage")
    func refuses() throws {
        var trail = RequestTrail(request: first, policy: .follow(maxRedirects: 1)), response = redirect(.found, to: "/2")
        #expect(try trail.redirects(after: &response))
        response = redirect(.found, to: "/3")
        let error = #expect(throws: HTTPError.self) { try trail.redirects(after: &response) }
        guard case .redirectFailed = error else { Issue.record("\(String(describing: error))"); return }
        #expect(error?.request?.url.path == "/2" && error?.context.stage == .redirect)
    }
}
