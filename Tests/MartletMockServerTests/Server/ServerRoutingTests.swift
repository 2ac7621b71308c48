import Foundation
import Martlet
import MartletTesting
import Testing

/// Which of the things that were scripted answers a request, and what is said when none does.
@Suite(.timeLimit(.minutes(5))) struct ServerRoutingTests {
    /// Sends a request on a connection of its own and gives the answer.
    func answer(_ server: MockServer, _ line: String, _ fields: String = "", body: String = "") async throws -> String {
        let client = try RawClient(port: server.port)
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        try await client.send("\(line) HTTP/1.1\r\nHost: x\r\n\(fields)\(length)\r\n\(body)")
        return try await client.readResponse()
    }

    @Test("A route's replies come in order and the last one stays, whatever is asked for in between")
    func inOrder() async throws {
        let server = try await MockServer.start()
        server.on(.get("/users/{id}"), .status(503), .json(#"{"id":1}"#))
        server.on(.post("/users"), .status(201))

        #expect(try await answer(server, "GET /users/1").hasPrefix("HTTP/1.1 503 "))
        #expect(try await answer(server, "POST /users").hasPrefix("HTTP/1.1 201 "))
        #expect(try await answer(server, "GET /users/2").hasSuffix(#"{"id":1}"#))
        #expect(try await answer(server, "GET /users/3").hasSuffix(#"{"id":1}"#))
        #expect(server.unexpectedRequests.isEmpty)
        await server.stop()
    }

    @Test("A route's handler is given the request and what the path's names stand for, decoded")
    func handler() async throws {
        struct Odd: Error {}
        let server = try await MockServer.start()
        server.on(.put("/users/{id}/photos/{photo}")) { request, path in
            .text("\(path["id"] ?? "") \(path["photo"] ?? "") \(String(decoding: request.body, as: UTF8.self))")
        }
        server.on(.get("/odd")) { _, _ in throw Odd() }

        #expect(try await answer(server, "PUT /users/7/photos/a%20b", body: "hi").hasSuffix("\r\n\r\n7 a b hi"))
        #expect(try await answer(server, "GET /odd").contains("the handler threw Odd()"))
        await server.stop()
    }

    @Test("Replies that were enqueued come before routes, the latest route that fits before earlier ones, and the handler last")
    func precedence() async throws {
        let server = try await MockServer.start { .text("handler \($0.path)") }
        server.on(.path("/a/**"), .text("wide"))
        server.on(.get("/a/b"), .text("early"))
        server.on(.get("/a/b"), .text("late"))
        server.enqueue(.text("enqueued"))

        #expect(try await answer(server, "GET /a/b").hasSuffix("enqueued"))
        #expect(try await answer(server, "GET /a/b").hasSuffix("late"))
        #expect(try await answer(server, "GET /a/c").hasSuffix("wide"))
        #expect(try await answer(server, "GET /other").hasSuffix("handler /other"))
        // Also while the server is at work.
        server.on(.get("/a/b"), .text("later"))
        #expect(try await answer(server, "GET /a/b").hasSuffix("later"))
        await server.stop()
    }

    @Test("Routes tell requests apart by query, fields and body")
    func parts() async throws {
        let server = try await MockServer.start()
        server.on(.get("/list"), .text("first page"))
        server.on(.get("/list?page=2"), .text("second page"))
        server.on(.post("/users").json(["name": "Ada"]), .status(201))
        server.on(.any.header("X-Key", "7"), .text("keyed"))

        #expect(try await answer(server, "GET /list").hasSuffix("first page"))
        #expect(try await answer(server, "GET /list?page=2").hasSuffix("second page"))
        #expect(try await answer(server, "POST /users", body: #"{ "name" : "Ada" }"#).hasPrefix("HTTP/1.1 201 "))
        #expect(try await answer(server, "GET /list", "X-Key: 7\r\n").hasSuffix("keyed"))
        await server.stop()
    }

    @Test("What has no route gets a 500 that says how it differs from each, the nearest first, without secrets")
    func unexpected() async throws {
        let server = try await MockServer.start()
        server.on(.delete("/orders/{id}"), .status(204))
        server.on(.post("/users").header(.authorization, "Bearer right").json(["name": "Ada"]), .status(201))

        let text = try await answer(
            server, "POST /users?api_key=s3cret", "Authorization: Bearer wr0ng\r\n", body: #"{"name":"Eve","password":"hunter2"}"#)

        #expect(text.hasPrefix("HTTP/1.1 500 "))
        #expect(text.contains("MockServer: nothing was scripted for POST /users?api_key="))
        #expect(text.contains("The routes, the nearest first:\n"))
        let post = try #require(text.firstRange(of: "  POST /users"))
        let delete = try #require(text.firstRange(of: "  DELETE /orders/{id}\n    method: expected DELETE, found POST\n"))
        #expect(post.lowerBound < delete.lowerBound || text.contains("body /name"))
        #expect(text.contains("    body /name: expected \"Ada\", found \"Eve\""))
        for secret in ["s3cret", "wr0ng", "right", "hunter2"] { #expect(!text.contains(secret), "\(secret)") }
        #expect(server.unexpectedRequests.map(\.path) == ["/users"] && server.requests.count == 1)
        #expect(!"\(server.unexpectedRequests[0])".contains("s3cret"))
        await server.stop()
    }

    @Test("What was scripted and never asked for is named")
    func verify() async throws {
        let server = try await MockServer.start()
        try server.verify()
        server.on(.get("/a"), .status(200))
        server.on(.get("/b"), .status(503), .status(503), .status(200))
        server.on(.get("/c")) { _, _ in .status(200) }
        _ = try await answer(server, "GET /a")
        _ = try await answer(server, "GET /b")
        server.enqueue(.status(200))

        let error = #expect(throws: UnusedStubsError.self) { try server.verify() }
        #expect(error?.stubs == ["1 replies in order", "GET /b: 2 of 3 replies", "GET /c"])
        await server.stop()
    }

    @Test("A route replies before the body when its matcher asks for none; one that asks for a body waits for it")
    func beforeBody() async throws {
        let server = try await MockServer.start()
        server.on(.put("/big"), .status(413).beforeBody())
        server.on(.put("/small").body("hi"), .status(200), .status(409).beforeBody())
        let refused = try RawClient(port: server.port)

        try await refused.send("PUT /big HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100000000\r\n\r\n")
        #expect(try await refused.readToEnd().hasPrefix("HTTP/1.1 413 "))
        for status in [200, 409] { #expect(try await answer(server, "PUT /small", body: "hi").hasPrefix("HTTP/1.1 \(status) ")) }
        #expect(server.requests.map(\.path) == ["/big", "/small", "/small"])
        // A reply that was enqueued is before every route, also when it waits for the body.
        server.enqueue(.status(200))
        #expect(try await answer(server, "PUT /big", body: "x").hasPrefix("HTTP/1.1 200 "))
        await server.stop()
    }

    @Test("A condition of a matcher may ask the server itself")
    func reentrant() async throws {
        let server = try await MockServer.start()
        server.on(.any.where("is the first") { [weak server] _ in server?.requests.count == 1 && server?.faults != nil }, .text("one"))
        server.on(.any.where("adds a route") { [weak server] _ in server?.requests.count == 2 }, .text("two"))

        #expect(try await answer(server, "GET /").hasSuffix("one"))
        #expect(try await answer(server, "GET /").hasSuffix("two"))
        await server.stop()
    }

    @Test("A hundred servers with routes of their own run side by side")
    func manyServers() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let server = try await MockServer.start()
                    server.on(.get("/\(index)/{turn}"), faults: .first(1, .reply(.status(503)))) { _, path in
                        .text("\(index) \(path["turn"] ?? "")")
                    }
                    #expect(try await answer(server, "GET /\(index)/0").hasPrefix("HTTP/1.1 503 "))
                    for turn in 1...3 { #expect(try await answer(server, "GET /\(index)/\(turn)").hasSuffix("\r\n\r\n\(index) \(turn)")) }
                    #expect(try await answer(server, "GET /\(index + 1)/0").hasPrefix("HTTP/1.1 500 "))
                    #expect(server.unexpectedRequests.count == 1 && server.requests(matching: .get("/\(index)/*")).count == 4)
                    try server.verify()
                    await server.stop()
                }
            }
            try await group.waitForAll()
        }
    }
}
