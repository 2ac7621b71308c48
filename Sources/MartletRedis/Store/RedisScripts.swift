internal import MartletCache

/// The atomic operations on the server. The scripts use only the Lua functions of Redis 5.
enum RedisScripts {
    /// The maximum number of variants of a key.
    static let variants = 64

    /// Deletes an entry. The pieces of its body expire after the grace period for current readers.
    private static let drop = """
        local function drop(entry, grace)
          local pieces = redis.call('HMGET', entry, 'b', 'c')
          if pieces[1] and pieces[1] ~= '' then
            for i = 0, tonumber(pieces[2]) - 1 do redis.call('PEXPIRE', pieces[1] .. i, grace) end
          end
          redis.call('DEL', entry)
        end

        """

    /// Extends the lifetime of a key to at least `ttl`.
    private static let extend = """
        local function extend(key, ttl)
          if redis.call('PTTL', key) < tonumber(ttl) then redis.call('PEXPIRE', key, ttl) end
        end

        """

    /// Finds the entry with an ID among the variants of a key. Returns its name and its variant.
    private static let find = """
        local function find(variants, entries, id)
          for _, variant in ipairs(redis.call('SMEMBERS', variants)) do
            if redis.call('HGET', entries .. variant, 'i') == id then return entries .. variant, variant end
          end
        end

        """

    /// Returns the entries of a key. KEYS: the URI, the variants. ARGV: the prefix of the entries' names.
    ///
    /// An entry whose body has lost a piece is left out. Touching the pieces makes them recently used, so that the server does not evict
    /// them first.
    static let entries = """
        local generation = redis.call('HGET', KEYS[1], 'g')
        local found = {}
        if not generation then return found end
        for _, variant in ipairs(redis.call('SMEMBERS', KEYS[2])) do
          local entry = redis.call('HMGET', ARGV[1] .. variant, 'g', 'h', 'n', 'b', 'c', 's', 'd')
          if entry[1] == generation and #found < \(variants) then
            local isWhole = true
            for i = 0, tonumber(entry[5]) - 1 do
              if redis.call('TOUCH', entry[4] .. i) == 0 then isWhole = false break end
            end
            if isWhole then found[#found + 1] = {entry[2], entry[3], entry[4], entry[5], entry[6], entry[7]} end
          end
        end
        return found
        """

    /// Stores an entry. KEYS: the URI, the variants, the entry. ARGV: key, variant, time to live and grace period in milliseconds, ID,
    /// head, length, checksum, body, prefix and number of the pieces, a new generation, prefix of the entries' names. Returns 0 if a piece
    /// is missing.
    static let store =
        drop + extend + """
            local ttl, grace = tonumber(ARGV[3]), tonumber(ARGV[4])
            for i = 0, tonumber(ARGV[11]) - 1 do
              if redis.call('EXISTS', ARGV[10] .. i) == 0 then return 0 end
            end
            redis.call('HSETNX', KEYS[1], 'g', ARGV[12])
            local generation = redis.call('HGET', KEYS[1], 'g')
            drop(KEYS[3], ARGV[4])
            redis.call('HMSET', KEYS[3], 'g', generation, 'i', ARGV[5], 'h', ARGV[6], 'n', ARGV[7], 's', ARGV[8], 'd', ARGV[9],
              'b', ARGV[10], 'c', ARGV[11])
            redis.call('PEXPIRE', KEYS[3], ttl)
            for i = 0, tonumber(ARGV[11]) - 1 do redis.call('PEXPIRE', ARGV[10] .. i, ttl + grace) end
            redis.call('SADD', KEYS[2], ARGV[2])
            extend(KEYS[2], ttl)
            if redis.call('HLEN', KEYS[1]) <= 1024 then redis.call('HSET', KEYS[1], ARGV[1], '1') end
            extend(KEYS[1], ttl)
            if redis.call('SCARD', KEYS[2]) > \(variants) then
              local kept = {}
              for _, variant in ipairs(redis.call('SMEMBERS', KEYS[2])) do
                if variant ~= ARGV[2] then
                  if redis.call('EXISTS', ARGV[13] .. variant) == 0 then redis.call('SREM', KEYS[2], variant)
                  else kept[#kept + 1] = variant end
                end
              end
              for i = \(variants), #kept do
                drop(ARGV[13] .. kept[i], ARGV[4])
                redis.call('SREM', KEYS[2], kept[i])
              end
            end
            return 1
            """

    /// Replaces a head. KEYS: the URI, the variants. ARGV: prefix of the entries' names, ID, head, variant, time to live and grace period
    /// in milliseconds.
    static let update =
        drop + extend + find + """
            local entry, variant = find(KEYS[2], ARGV[1], ARGV[2])
            if not entry or redis.call('HGET', entry, 'g') ~= redis.call('HGET', KEYS[1], 'g') then return 0 end
            redis.call('HSET', entry, 'h', ARGV[3])
            if variant ~= ARGV[4] then
              drop(ARGV[1] .. ARGV[4], ARGV[6])
              redis.call('RENAME', entry, ARGV[1] .. ARGV[4])
              redis.call('SREM', KEYS[2], variant)
              redis.call('SADD', KEYS[2], ARGV[4])
              entry = ARGV[1] .. ARGV[4]
            end
            extend(entry, ARGV[5])
            extend(KEYS[2], ARGV[5])
            extend(KEYS[1], ARGV[5])
            local pieces = redis.call('HMGET', entry, 'b', 'c')
            for i = 0, tonumber(pieces[2]) - 1 do extend(pieces[1] .. i, ARGV[5] + ARGV[6]) end
            return 1
            """

    /// Removes an entry. KEYS: the variants. ARGV: prefix of the entries' names, ID, grace period in milliseconds.
    static let remove =
        drop + find + """
            local entry, variant = find(KEYS[1], ARGV[1], ARGV[2])
            if not entry then return 0 end
            drop(entry, ARGV[3])
            redis.call('SREM', KEYS[1], variant)
            return 1
            """

    /// Removes all entries of a URI. KEYS: the URI. ARGV: prefixes of the names of all sets of variants and of all entries, grace period in
    /// milliseconds.
    ///
    /// Without its generation no entry of the URI can be found, not even one that is missing from the hash.
    static let removeURI =
        drop + """
            for _, key in ipairs(redis.call('HKEYS', KEYS[1])) do
              if key ~= 'g' then
                for _, variant in ipairs(redis.call('SMEMBERS', ARGV[1] .. key)) do drop(ARGV[2] .. key .. ':' .. variant, ARGV[3]) end
                redis.call('DEL', ARGV[1] .. key)
              end
            end
            redis.call('DEL', KEYS[1])
            return 1
            """
}

/// The names of a store's keys. Decision record 0031 gives the reasons.
///
/// - `1:u:URI`: a hash for a URI: the current generation (`g`) of its entries, and its keys.
/// - `1:k:KEY`: the set of the variants of a key.
/// - `1:e:KEY:VARIANT`: a hash for an entry: generation, ID, head, length of the body and, if it is small, the body.
/// - `1:b:WRITER:INDEX`: a piece of a larger body.
///
/// URIs, keys and variants are digests, so that names are short and reveal no addresses or credentials.
struct RedisLayout: Sendable {
    let prefix: String

    func uri(_ uri: String) -> String { "\(prefix)1:u:\(RedisLayout.digest(of: uri))" }

    /// Returns the name of a key.
    func name(of key: CacheKey) -> String {
        RedisLayout.digest(of: key.uri) + (key.scope.isEmpty ? "" : RedisLayout.digest(of: key.scope))
    }

    func name(of variant: CacheVariant) -> String { RedisLayout.digest(of: variant.text) }

    /// The prefix of the names of all sets of variants.
    var allVariants: String { "\(prefix)1:k:" }

    /// The prefix of the names of all entries.
    var allEntries: String { "\(prefix)1:e:" }

    func variants(of key: CacheKey) -> String { allVariants + name(of: key) }

    /// Returns the prefix of the names of a key's entries.
    func entries(of key: CacheKey) -> String { "\(allEntries)\(name(of: key)):" }

    /// Returns the prefix of the names of a body's pieces.
    func pieces(of writer: String) -> String { "\(prefix)1:b:\(writer):" }

    /// A pattern that matches exactly the names of the store's keys, and not those of a ``RedisTrafficState`` with the same prefix.
    var pattern: String {
        prefix.unicodeScalars.reduce(into: "") { pattern, scalar in
            if "\\*?[]^-".unicodeScalars.contains(scalar) { pattern.append("\\") }
            pattern.unicodeScalars.append(scalar)
        } + "1:[ukeb]:*"
    }

    static func digest(of text: String) -> String {
        Hex.text(SHA2.digest(ofText: text).prefix(16))
    }
}
