internal import MartletJSON

/// Writes the test's file.
struct TestSource {
    let plan: EndpointPlan
    let home: RepositoryHome

    private var isSnakeCase: Bool { plan.options.isSnakeCase }

    var text: String {
        var text = SourceText()
        let modules: Set<String> = ["Foundation", "Martlet", "MartletTesting", "Testing"]
        for module in modules.sorted() { text.line("import \(module)") }
        text.line()
        if let module = plan.options.module {
            text.line("@testable import \(module)")
            text.line()
        }
        text.block("@Suite(\(SourceText.quoted(plan.title)), .timeLimit(.minutes(1)))\nstruct \(plan.name)Tests {") { text in
            request(&text)
            if plan.responses.count > 1 { otherSamples(&text) }
            failure(&text)
        }
        samples(&text)
        return text.text
    }

    // MARK: Tests

    private func request(_ text: inout SourceText) {
        text.line("@Test(\"The call sends the request\(plan.responses.isEmpty ? "" : " and decodes the response")\")")
        text.block("func call() async throws {") { text in
            text.line("let mock = HTTPClientMock(\(isSnakeCase ? "decoder: .snakeCase" : ""))")
            text.line("mock.on(\(plan.name).self, \(stub))")
            payload(&text)
            let expectations = self.expectations
            call(start(expectations), &text)
            text.line()
            text.line("let request = try #require(mock.requests.first)")
            text.line("#expect(request.method == \(plan.method.source))")
            targetExpectation(&text)
            bodyExpectation(&text)
            for condition in expectations { text.line("#expect(\(condition))") }
        }
    }

    private func otherSamples(_ text: inout SourceText) {
        text.line()
        text.line("@Test(\"The other samples are decoded\")")
        text.block("func samples() async throws {") { text in
            let names = plan.responses.indices.dropFirst().map { "responseSample\($0 + 1)" }
            text.block("for sample in [\(names.joined(separator: ", "))] {") { text in
                text.line("let mock = HTTPClientMock(\(isSnakeCase ? "decoder: .snakeCase" : ""))")
                text.line("mock.on(\(plan.name).self, .json(sample))")
                payload(&text)
                call("_ = try await ", &text)
            }
        }
    }

    private func failure(_ text: inout SourceText) {
        text.line()
        text.line("@Test(\"A status that is not accepted is thrown\")")
        text.block("func failure() async throws {") { text in
            text.line("let mock = HTTPClientMock()")
            text.line("mock.on(\(plan.name).self, .status(404))")
            payload(&text)
            text.block("let error = await #expect(throws: HTTPError.self) {") { text in
                call("\(plan.response == nil ? "" : "_ = ")try await ", &text)
            }
            text.line("#expect(error?.status == .notFound)")
        }
    }

    // MARK: Parts

    /// The stubbed response. Without a sample of it, only the request is tested.
    private var stub: String {
        plan.response == nil ? ".status(204)" : plan.responses.isEmpty ? ".status(404)" : ".json(responseSample)"
    }

    private func start(_ expectations: [String]) -> String {
        if plan.response == nil { return "try await " }
        if plan.responses.isEmpty { return "_ = try? await " }
        return "\(expectations.isEmpty ? "_" : "let response") = try await "
    }

    /// Writes the payload that the sample of the body describes.
    private func payload(_ text: inout SourceText) {
        guard let payload = plan.payload else { return }
        let decoder = isSnakeCase ? "snakeCase" : "json"
        text.line("let payload = try JSONBodyDecoder.\(decoder)")
        text.line("    .decode(\(payload.qualifiedSource(in: plan.name)).self, from: Data(bodySample.utf8))")
    }

    private func call(_ start: String, _ text: inout SourceText) {
        let arguments = plan.properties.map { "\($0.name): \($0.sample)" }
        if home.isTested, let type = home.typeName {
            text.list("\(start)\(type)(\(home.client): mock).\(home.method)(", arguments, ")")
        } else {
            text.nestedList("\(start)mock.send(", "\(plan.name)(", arguments)
        }
    }

    /// The path and query as they are sent.
    private var target: String {
        var values = plan.properties.makeIterator(), target = ""
        for part in plan.path.parts {
            switch part {
            case .literal(let literal): target += literal
            case .value: target += values.next()?.sent ?? ""
            }
        }
        return (target.hasPrefix("/") ? target : "/" + target) + (plan.query.parameters.isEmpty ? "" : "?" + plan.query.encoded)
    }

    private var expectations: [String] {
        guard let response = plan.response, let sample = plan.responses.first else { return [] }
        return SampleExpectations(SampleText.value(of: sample, response.type), response.type, name: "response").conditions
    }

    /// A long target, such as one with many parameters, is written in parts.
    private func targetExpectation(_ text: inout SourceText) {
        let source = SourceText.quoted(target)
        guard source.count > SourceText.width else { return text.line("#expect(request.target == \(source))") }
        var rest = target[...], parts: [String] = []
        while !rest.isEmpty {
            parts.append(SourceText.quoted(String(rest.prefix(SourceText.width - 20))))
            rest = rest.dropFirst(SourceText.width - 20)
        }
        text.line("let target =")
        for (index, part) in parts.enumerated() { text.line("    \(index > 0 ? "+ " : "")\(part)") }
        text.line("#expect(request.target == target)")
    }

    private func bodyExpectation(_ text: inout SourceText) {
        guard let payload = plan.payload, let sample = plan.body else { return text.line("#expect(request.body == nil)") }
        let value = SampleText.value(of: sample, payload.type)
        let sent = SampleText.encoded(value, payload.type) == value ? "bodySample" : "sentBody"
        if isSnakeCase {
            text.line("let encoded = try JSONValue(encoding: payload, with: .snakeCase)")
            text.line("#expect(try encoded == JSONValue(parsing: Data(\(sent).utf8)))")
        } else {
            text.line("#expect(try request.json == JSONValue(parsing: Data(\(sent).utf8)))")
        }
    }

    // MARK: Samples

    private func samples(_ text: inout SourceText) {
        if let response = plan.response {
            for (index, sample) in plan.responses.enumerated() {
                SampleText.write(
                    "responseSample\(index == 0 ? "" : "\(index + 1)")", SampleText.value(of: sample, response.type),
                    "A sample of the response.", to: &text)
            }
        }
        guard let payload = plan.payload, let sample = plan.body else { return }
        let value = SampleText.value(of: sample, payload.type), sent = SampleText.encoded(value, payload.type)
        SampleText.write("bodySample", value, "A sample of the request's body.", to: &text)
        guard sent != value else { return }
        SampleText.write("sentBody", sent, "The body as the encoder writes it.", to: &text)
    }
}
