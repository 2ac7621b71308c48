/// The atomic operations of ``RedisTrafficState``. All use the server's clock, in microseconds. The scripts use only the Lua functions of
/// Redis 5.
enum TrafficScripts {
    private static let now = """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]

        """

    /// Takes a permission by a generic cell rate algorithm. KEYS: the bucket, its pause. ARGV: interval in microseconds, burst, hold in
    /// microseconds, own permissions of the process, time to live in milliseconds. Returns 0, or the time to wait in microseconds.
    ///
    /// The bucket is stored as the instant at which it is full. It can't be later than after the longest wait, for the case that the clock
    /// was set back.
    static let take =
        now + """
            local interval, hold = tonumber(ARGV[1]), tonumber(ARGV[3])
            local empty = now + ARGV[2] * interval
            local full = tonumber(redis.call('GET', KEYS[1]) or '') or empty + hold
            full = math.max(full, now)
            full = math.max(full, math.min(full + ARGV[4] * interval, empty))
            full = math.min(full, empty + hold)
            local wait = math.max(full + interval - empty, redis.call('PTTL', KEYS[2]) * 1000)
            if wait <= 0 then
              full = full + interval
              wait = 0
            end
            redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', ARGV[5])
            return wait
            """

    /// Begins or extends a pause. KEYS: the pause. ARGV: its length in milliseconds.
    static let pause = """
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
        return 1
        """

    /// Changes a circuit and returns its state: 0 for unknown, 1 for closed, 2 for open, 3 for a claimed probe; and the time in
    /// microseconds since it was closed or until the next probe, or the number of the probe. KEYS: the circuit. ARGV: step, open duration
    /// in microseconds, probes, number of the probe, time to live in milliseconds.
    ///
    /// The hash has the state `s` (closed, open, half open), its number `e`, the instant `u` at which it was closed or ends, and the
    /// numbers of claimed (`n`) and successful (`k`) probes.
    static let circuit =
        now + """
            local step, open, probes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
            local stored = redis.call('HMGET', KEYS[1], 's', 'e', 'u', 'n', 'k')
            local s, e, u = stored[1], tonumber(stored[2] or '') or 0, tonumber(stored[3] or '') or 0
            local n, k = tonumber(stored[4] or '') or 0, tonumber(stored[5] or '') or 0
            local function enter(state, instant)
              s, e, u, n, k = state, math.max(now, e + 1), instant, 0, 0
            end
            if s and s ~= 'closed' then u = math.min(u, now + open) end
            local probe = false
            if step == 'open' then
              if not s or s == 'closed' or s == 'open' and u <= now then enter('open', now + open) end
            elseif step == 'claim' then
              if not s or s == 'open' and u <= now then enter('half', now + open) end
              if s == 'half' then
                if n < probes then
                  n = n + 1
                  probe = true
                elseif u <= now then
                  enter('open', now + open)
                end
              end
            elseif step ~= 'look' and s == 'half' and e == tonumber(ARGV[4]) then
              if step == 'succeed' then
                k = k + 1
                if k >= probes then enter('closed', now) end
              elseif step == 'fail' then
                enter('open', now + open)
              else
                n = math.max(k, n - 1)
              end
            end
            if not s then return {0, 0} end
            if step ~= 'look' then
              redis.call('HMSET', KEYS[1], 's', s, 'e', string.format('%.0f', e), 'u', string.format('%.0f', u), 'n', n, 'k', k)
            end
            redis.call('PEXPIRE', KEYS[1], ARGV[5])
            if probe then return {3, e} end
            if s == 'closed' then return {1, math.max(0, now - u)} end
            if s == 'half' and n < probes then return {2, 0} end
            return {2, math.max(0, u - now)}
            """
}
