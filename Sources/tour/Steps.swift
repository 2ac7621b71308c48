import FoundationEssentials
import Martlet
import MartletTesting

extension Step {
    /// The steps of the tour, in order.
    static let all: [Step] = [
        value, structure, enumeration, envelope, post, fields, redirect, timeout, cancel, download, events, chat, graphQL, refresh, retry,
        breaker, cookies, cache, log, observe,
    ]

    static let value = Step(name: "value", title: "A request value: the call knows the type of its response") { stage in
        stage.printer.asked("send(.birds(longerThan: 40))")
        let birds = try await stage.client.send(.birds(longerThan: 40))
        stage.printer.got("[Bird]: \(birds.map(\.name).joined(separator: ", "))")
        try check(birds == [BirdServer.birds[0]], "expected one bird, got \(birds)")
    }

    static let structure = Step(name: "struct", title: "A struct for each operation") { stage in
        stage.printer.asked("send(GetBird(id: 2))")
        let bird = try await stage.client.send(GetBird(id: 2))
        stage.printer.got("Bird: \(bird.name)")
        try check(bird == BirdServer.birds[1], "expected \(BirdServer.birds[1]), got \(bird)")
    }

    static let enumeration = Step(name: "enum", title: "An enum for a whole API: the call names the type of the response") { stage in
        stage.printer.asked("send(BirdAPI.all, as: [Bird].self)")
        let birds = try await stage.client.send(BirdAPI.all, as: [Bird].self)
        stage.printer.got("[Bird]: \(birds.count) of them")
        try check(birds == BirdServer.birds, "expected two birds, got \(birds)")
    }

    static let envelope = Step(name: "envelope", title: "The whole response: status, header fields and value") { stage in
        stage.printer.asked("response(for: GetBird(id: 1))")
        let response = try await stage.client.response(for: GetBird(id: 1))
        stage.printer.got("\(response.status), ETag \(response.headers[.eTag] ?? "none"), \(response.body.name)")
        let cookies = response.headers.values(for: .setCookie)
        stage.printer.got("Set-Cookie fields stay separate: \(cookies.joined(separator: " | "))")
        try check(response.headers[.eTag] == "\"v7\"", "expected an ETag")
        try check(cookies == ["a=1", "b=2"], "expected two cookies, got \(cookies)")
    }

    static let post = Step(name: "post", title: "A POST with a JSON body") { stage in
        stage.printer.asked("send(BirdAPI.add(NewBird(name: \"House martin\", …)), as: Bird.self)")
        let bird = try await stage.client.send(BirdAPI.add(NewBird(name: "House martin", wingspan: 29)), as: Bird.self)
        stage.printer.got("Bird: \(bird.name), number \(bird.id)")
        try check(bird == Bird(id: 4, name: "House martin", wingspan: 29), "expected the bird that was sent, got \(bird)")
    }

    static let fields = Step(name: "fields", title: "A 422 becomes field errors that a view can show") { stage in
        let api = stage.client.mappingErrors(HTTPErrorMapper())
        stage.printer.asked("send(BirdAPI.add(NewBird(name: \"\", …)))")
        switch await api.result(of: BirdAPI.add(NewBird(name: "", wingspan: 1))) {
        case .failure(.validationError(let fields)):
            stage.printer.got("validationError: \(fields.map { "\($0.field) \($0.message)" }.joined(separator: ", "))")
            try check(fields == [FieldError(field: "name", message: "must not be empty")], "other fields: \(fields)")
        case .failure(let error): throw Misbehaviour("expected field errors, got \(error)")
        case .success: throw Misbehaviour("expected field errors, got a response")
        }
    }

    static let redirect = Step(name: "redirect", title: "A redirect to another origin, without the credential") { stage in
        stage.printer.asked("send(.get(\"moved\", headers: [.authorization: …]))")
        let response = try await stage.client.response(for: Request<Bird>.get("moved", headers: [.authorization: "Bearer s3cret"]))
        stage.printer.got(
            "\(response.body.name), after \(response.metadata.redirects.count) redirect to another port, without Authorization")
        try check(response.body.id == 3, "expected the bird from the other server, got \(response.body)")
    }

    static let timeout = Step(name: "timeout", title: "A timeout of 500 ms against a server that needs 30 s") { stage in
        var request = Request<Bird>.get("slow")
        request.timeout = .milliseconds(500)
        stage.printer.asked("request.timeout = .milliseconds(500)")
        let clock = ContinuousClock()
        let began = clock.now
        guard case .failure(let error) = await stage.client.result(of: request) else {
            throw Misbehaviour("the slow server responded in time")
        }
        let waited = "\(Int((clock.now - began) / .milliseconds(1))) ms"
        stage.printer.got("\(error == .timeout ? "timeout" : "\(error)") after \(waited)")
        try check(error == .timeout, "expected a timeout, got \(error)")
    }

    static let cancel = Step(name: "cancel", title: "A cancelled task stops the exchange") { stage in
        stage.printer.asked("Task { await client.result(of: .get(\"stuck\")) }, then task.cancel() once the server has it")
        let received = stage.server.main.requests.count
        let task = Task { await stage.client.result(of: Request<Bird>.get("stuck")) }
        try await stage.server.main.waitForRequests(received + 1)
        _ = try await stage.client.send(Request<EmptyResponse>.get("ping"))
        stage.printer.got("meanwhile another call goes through")
        task.cancel()
        guard case .failure(let error) = await task.value else { throw Misbehaviour("the call received a response") }
        stage.printer.got("\(error == .cancelled ? "cancelled" : "\(error)")")
        try check(error == .cancelled, "expected a cancellation, got \(error)")
    }
}
