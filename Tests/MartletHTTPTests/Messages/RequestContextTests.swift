import MartletHTTP
import TestSupport
import Testing

@Suite("RequestContext", .timeLimit(.minutes(5)))
struct RequestContextTests {
    private enum Name: RequestContextKey { static let defaultValue = "none" }
    private enum Count: RequestContextKey { static let defaultValue = 0 }
    private enum Maybe: RequestContextKey { static let defaultValue: String? = "default" }

    @Test("A new context has no values")
    func defaults() {
        let context = RequestContext()
        #expect(context.baseOrigin == nil)
        #expect(context.pathTemplate == "")
        #expect(context.attempt == 0)
        #expect(context.deadline == nil)
        #expect(context.attemptTimeout == nil)
        #expect(context.idleTimeout == nil)
        #expect(!context.streamsBody)
        #expect(context.limits == ResponseLimits(bodyBytes: 100_000_000, headBytes: 262_144))
    }

    @Test("A custom value is read by its key, and has its default until it is set")
    func values() {
        var context = RequestContext()
        #expect(context[Name.self] == "none")
        context[Name.self] = "checkout"
        context[Count.self] += 1
        #expect(context[Name.self] == "checkout")
        #expect(context[Count.self] == 1)
    }

    @Test("A copy does not share values set later")
    func copies() {
        var context = RequestContext()
        context[Count.self] = 1
        var copy = context
        copy[Count.self] = 2
        #expect(context[Count.self] == 1)
        #expect(copy[Count.self] == 2)
    }

    @Test("An optional value has its default until it is set, and can be set to nil")
    func optionals() {
        var context = RequestContext()
        #expect(context[Maybe.self] == "default")
        context[Count.self] = 1
        #expect(context[Maybe.self] == "default")
        context[Maybe.self] = nil
        #expect(context[Maybe.self] == nil)
        context[Maybe.self] = "set"
        #expect(context[Maybe.self] == "set")
    }
}
