import MartletRedis
import Testing

@Suite("Reading RESP")
struct RESPParserTests {}
