import Testing

@testable import EndpointGenerator

@Suite("Path templates", .timeLimit(.minutes(5)))
struct PathTemplateTests {
    @Test("A value is interpolated, so that Path escapes it, and its type becomes the property's")
    func values() throws {
        let lines = try lines(path: "/users/{user-id:Int}/files/{name}.json")
        #expect(lines.contains(#"var path: Path { "users/\(userID)/files/\(name).json" }"#))
        #expect(lines.contains("let userID: Int"))
        #expect(lines.contains("let name: String"))
    }

    @Test(
        "An invalid template is an error that names the column",
        arguments: [
            ("", 1, "it is empty"), ("https://a.example/b", 1, "full URL"), ("/users/{}", 8, "no name"), ("/users/{:Int}", 8, "no name"),
            ("/users/{id", 8, "not closed"), ("/users/id}", 10, "not opened"), ("/users/{id:Float}", 8, "unknown"),
            ("/users?page=1", 7, "--query"), ("/users#top", 7, "fragment"), ("/users/:id", 8, "{id}"), ("/users//x", 8, "empty"),
            ("/a/../b", 4, "not allowed"), ("/a/%2E%2e/b", 4, "not allowed"), ("/a b", 3, "Percent-encode"), ("/a%2", 3, "hexadecimal"),
            ("/{id}/x/{id}", 9, "twice"), ("/{a}{b}", 5, "between"), ("/{a/b}", 2, "needs letters"), ("/\"\\(x)", 2, "Percent-encode"),
        ])
    func invalid(_ path: String, _ column: Int, _ reason: String) throws {
        let error = #expect(throws: GeneratorError.self) { try plan("GET", path) }
        guard case .invalidPath(path, column, let text) = error else { throw try #require(error) }
        #expect(text.contains(reason))
    }

    @Test("Names of Endpoint's members, keywords and repeated names get other names")
    func names() throws {
        let lines = try lines(path: "/a/{path}/{class}/{query}/{body}/x") { $0.query = "path=1&class=x" }
        for name in ["pathValue", "`class`", "queryValue", "bodyValue"] { #expect(lines.contains("let \(name): String")) }
        #expect(lines.contains("var pathValue2: Int?") && lines.contains("var class2: String?"))
    }

    @Test("An unknown method is an error, and a known one may be in lower case")
    func methods() throws {
        #expect(throws: GeneratorError.unknownMethod("FETCH")) { try plan("FETCH") }
        #expect(throws: GeneratorError.unknownMethod("CONNECT")) { try plan("CONNECT") }
        #expect(try plan("post").title == "POST /things")
        #expect(throws: GeneratorError.unexpectedBody(method: "GET")) { try plan("GET", bodies: ["{}"]) }
        #expect(throws: GeneratorError.unexpectedResponse(method: "HEAD")) { try plan("HEAD", "/things", ["{}"]) }
    }

    @Test(
        "The endpoint and the repository are named after the method and the path",
        arguments: [
            ("GET", "/users", "ListUsers", "UsersRepository"), ("GET", "/users/{id}", "GetUser", "UsersRepository"),
            ("POST", "/api/v2/users", "CreateUser", "UsersRepository"), ("PUT", "/users/{id}", "ReplaceUser", "UsersRepository"),
            ("PATCH", "/users/{id}", "UpdateUser", "UsersRepository"), ("DELETE", "/users/{id}", "DeleteUser", "UsersRepository"),
            ("GET", "/users/{id}/orders", "ListUserOrders", "OrdersRepository"),
            ("GET", "/users/{id}/orders/{n}", "GetUserOrder", "OrdersRepository"),
            ("POST", "/users/{id}/activate", "ActivateUser", "UsersRepository"), ("GET", "/status", "GetStatus", "StatusRepository"),
            ("GET", "/order-items", "ListOrderItems", "OrderItemsRepository"), ("POST", "/login", "PostLogin", "LoginRepository"),
            ("GET", "/categories/{id}", "GetCategory", "CategoriesRepository"), ("GET", "/", "GetRoot", "RootRepository"),
            ("GET", "/people/{id}", "GetPerson", "PeopleRepository"),
        ])
    func derived(_ method: String, _ path: String, _ name: String, _ repository: String) throws {
        let plan = try plan(method, path)
        #expect(plan.name == name)
        #expect(plan.repository == repository)
    }

    @Test(
        "A given name must be that of a type that hides no other",
        arguments: ["user", "Get User", "../X", "String", "Path", "Self", "", "2X", "Response", "Body", "HTTPClientMock", "Test"])
    func invalidNames(_ name: String) {
        #expect(throws: GeneratorError.invalidName(name, option: "--name")) { try plan { $0.name = name } }
        #expect(throws: GeneratorError.invalidName(name, option: "--model")) { try plan { $0.model = name } }
        #expect(throws: GeneratorError.self) { try plan { $0.repository = .named(name) } }
    }

    @Test("The prefix of a repository's struct must not make it a type of Martlet", arguments: ["Client", "Method", "Status"])
    func prefixedNames(_ name: String) {
        let error = GeneratorError.invalidName("HTTP" + name, option: "--repository")
        #expect(throws: error) { try plan { $0.repository = .named(name) } }
    }

    @Test("An element's type has another name than the response and the body")
    func elementNames() throws {
        #expect(try lines(#"[{"a":1}]"#, path: "/responses").contains("typealias Response = [Response2]"))
        #expect(
            try plan("POST", "/bodies", [#"[{"a":1}]"#], bodies: [#"{"a":1}"#]).generate().files[0].text.contains(
                "typealias Response = [Body2]"))
    }

    @Test("A name of the path occurs once, also with another type")
    func repeatedPlaceholder() {
        let error = GeneratorError.invalidPath("/{id:Int}/{id}", column: 11, reason: "the name id occurs twice")
        #expect(throws: error) { try plan("GET", "/{id:Int}/{id}") }
    }

    @Test("A model for a response without objects is an error")
    func unusedModel() {
        #expect(throws: GeneratorError.unusedModel("Thing")) { try plan("GET", "/things", ["[1]"]) { $0.model = "Thing" } }
    }

    @Test("Two types can't have the same name")
    func repeated() {
        #expect(throws: GeneratorError.repeatedName("Thing")) {
            try plan {
                $0.name = "Thing"
                $0.model = "Thing"
            }
        }
    }
}
