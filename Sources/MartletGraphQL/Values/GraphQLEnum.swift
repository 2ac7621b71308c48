/// An enum value of the schema that tolerates values added by the server later. See `OpenEnum`.
///
/// In variables, write `GraphQLEnum(Episode.jedi)`, or a bare enum that is `Codable`.
public typealias GraphQLEnum<Known: RawRepresentable> = OpenEnum<Known> where Known.RawValue == String
