import Foundation
import Martlet
import MartletTesting
import Testing

/// Tests which scripted reply a request gets, and the response if there is none.
@Suite(.timeLimit(.minutes(5))) struct ServerRoutingTests {
    /// Sends a request on a new connection and returns the response.
    func answer(_ server: MockServer, _ line: String, _ fields: String = "", body: String = "") async throws -> String {
        let client = try RawClient(port: server.port)
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        try await client.send("\(line) HTTP/1.1\r\nHost: x\r\n\(fields)\(length)\r\n\(body)")
        return try await client.readResponse()
    }

    @Test("A route's replies are used in order and the last one is repeated, whatever other requests come between")
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

    @Test("A route's handler receives the request and the decoded parameters of the path")
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

    @Test("Enqueued replies come first, then the latest matching route, then earlier ones, then the handler")
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
        // Also while the server handles requests.
        server.on(.get("/a/b"), .text("later"))
        #expect(try await answer(server, "GET /a/b").hasSuffix("later"))
        await server.stop()
    }

    @Test("Routes distinguish requests by query, fields and body")
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

    @Test("A request without a route gets a 500 with its differences from each route, the nearest first, without secrets")
    func unexpected() async throws {
        let server = try await MockServer.start()
        server.on(.delete("/orders/{id}"), .status(204))
        server.on(.post("/users").header(.authorization, "Bearer right").json(["name": "Ada"]), .status(201))

        let text = try await answer(
            server, "POST /users?api_key=s3cret", "Authorization: Bearer wr0ng\r\n", body: #"{"name":"Eve","password":"hunter2"}"#)

        #expect(text.hasPrefix("HTTP/1.1 500 "))
        #expect(text.contains("MockServer: no reply is scripted for POST /users?api_key="))
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

    @Test("Unused replies and routes are named")
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

    @Test("A route replies before the body if its matcher does not compare the body, and otherwise waits for it")
    func beforeBody() async throws {
        let server = try await MockServer.start()
        server.on(.put("/big"), .status(413).beforeBody())
        server.on(.put("/small").body("hi"), .status(200), .status(409).beforeBody())
        let refused = try RawClient(port: server.port)

        try await refused.send("PUT /big HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100000000\r\n\r\n")
        #expect(try await refused.readToEnd().hasPrefix("HTTP/1.1 413 "))
        for status in [200, 409] { #expect(try await answer(server, "PUT /small", body: "hi").hasPrefix("HTTP/1.1 \(status) ")) }
        #expect(server.requests.map(\.path) == ["/big", "/small", "/small"])
        // An enqueued reply precedes every route, even if it waits for the body.
        server.enqueue(.status(200))
        #expect(try await answer(server, "PUT /big", body: "x").hasPrefix("HTTP/1.1 200 "))
        await server.stop()
    }

    @Test("A condition of a matcher may call the server")
    func reentrant() async throws {
        let server = try await MockServer.start()
        server.on(.any.where("is the first") { [weak server] _ in server?.requests.count == 1 && server?.faults != nil }, .text("one"))
        server.on(.any.where("adds a route") { [weak server] _ in server?.requests.count == 2 }, .text("two"))

        #expect(try await answer(server, "GET /").hasSuffix("one"))
        #expect(try await answer(server, "GET /").hasSuffix("two"))
        await server.stop()
    }

    @Test("A hundred concurrent servers have their own routes")
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
