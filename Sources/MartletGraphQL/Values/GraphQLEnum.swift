/// A value of an enum of the schema, to which a server may add values that the app does not know yet. See ``OpenEnum``.
///
/// In variables, write `GraphQLEnum(Episode.jedi)`, or a bare enum that is `Codable`.
public typealias GraphQLEnum<Known: RawRepresentable> = OpenEnum<Known> where Known.RawValue == String
