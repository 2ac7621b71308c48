/// A value of an app's enum, or the text of a value that the schema added later. See `OpenEnum`.
///
/// In variables, write `GraphQLEnum(Episode.jedi)`, or a bare enum that is `Codable`.
public typealias GraphQLEnum<Known: RawRepresentable> = OpenEnum<Known> where Known.RawValue == String
