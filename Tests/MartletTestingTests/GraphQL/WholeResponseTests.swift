import MartletGraphQL
import Testing

@testable import MartletTesting

@Suite(.timeLimit(.minutes(5))) struct WholeResponseTests {
    private func isWhole(_ data: JSONValue, _ document: GraphQLDocument) -> Bool {
        WholeResponse.isWhole(data, for: GraphQLOperation<EmptyResponse>(document).erased)
    }

    @Test(
        "An object with only the members of a response is a complete response",
        arguments: [
            (["data": ["hero": nil]], true), (["data": nil, "errors": [["message": "no"]]], true), (["errors": []], true),
            (["data": ["hero": nil], "extensions": [:]], true), (["hero": nil], false), ([:], false), (["extensions": [:]], false),
            (["data": nil, "hero": nil], false), (["data"], false), (nil, false),
        ] as [(JSONValue, Bool)])
    func members(data: JSONValue, expected: Bool) { #expect(isWhole(data, "{ hero { name } }") == expected) }

    @Test("A root field with the name of a member is data, also if a fragment or an alias selects it")
    func fields() {
        let data: JSONValue = ["data": ["id": 1]]
        #expect(!isWhole(data, "{ data { id } }") && !isWhole(data, "{ data: hero { id } }"))
        #expect(!isWhole(data, "{ ... on Query { data { id } } }"))
        #expect(!isWhole(data, "{ ...A } fragment A on Query { ...B } fragment B on Query { data { id } }"))
        #expect(isWhole(data, "{ hero { data { id } } }") && isWhole(data, "{ hero: data { id } }"))
        #expect(isWhole(["errors": [], "data": nil], "{ hero { id } }") && !isWhole(["errors": [1]], "{ errors }"))
    }
}
