extension RateLimiter {
    /// The store in which the processes of a fleet share one rate.
    ///
    /// ```swift
    /// let state = RedisTrafficState(host: "10.0.0.5")  // in the module MartletRedis
    /// let limiter = RateLimiter(.perSecond(100, burst: 10), shared: .init("prices", in: state))
    /// ```
    ///
    /// The fleet as a whole keeps to the rate: in any time T, it is given at most `burst` + `requests` · T / `period` permissions. A
    /// request is sent when the permission arrives, at most ``SharedTrafficState/maxDelay`` later. All processes must use the same rate.
    ///
    /// A limit that is new to the store, or that the store has lost, starts without a burst: the first request waits for one interval. So a
    /// store that restarts gives no second burst.
    ///
    /// In each process, requests wait in the order of their arrival, and only the first one asks the store, when its turn may have come.
    /// Other processes have their turns in between, in no fixed order. A process sends at most one request in each round trip to the store.
    /// The wait for the store counts as a wait: requests can wait for ``SharedTrafficState/maxDelay`` even if `maxWait` is shorter.
    ///
    /// A `Retry-After` pauses the fleet. Quotas of the server (`RateLimit`) apply only to the process that has received them.
    public struct Sharing: Sendable {
        /// What a process does while the store does not reply.
        public enum Fallback: Sendable, Hashable {
            /// Sends nothing. Requests wait until the store replies, or until their `maxWait` or deadline is over. The fleet stays within
            /// its limit in any case.
            case wait
            /// Sends this share of the rate, such as 1/3 in each of three processes, and starts without a burst.
            ///
            /// Each process sends at most b + share · rate · T in any time T, where b is the burst times the share, rounded down, and at
            /// least 1. While the store is down, and after it has restarted without its data, the fleet stays within its limit if the sum
            /// of the shares is at most 1 and the sum of all b at most the burst. If only some processes are cut off, or a store returns
            /// with its data, their own permissions are additional: at most the share of the rate for as long as they were cut off. They
            /// are deducted when the store replies again, at most one burst for each process.
            case local(share: Double)
        }

        /// The name of the limit. Groups of limits with the same name, in the same store, share their state.
        public let name: String
        /// The store.
        public let state: any SharedTrafficState
        /// What a process does while the store does not reply.
        public let fallback: Fallback

        /// Creates a value.
        ///
        /// - Parameters:
        ///   - name: The name of the limit, such as that of the service.
        ///   - state: The store.
        ///   - fallback: What a process does while the store does not reply. Default: ``Fallback/wait``.
        public init(_ name: String, in state: any SharedTrafficState, whenUnavailable fallback: Fallback = .wait) {
            self.name = name
            self.state = state
            self.fallback = fallback
        }

        /// Returns the state of one process for a group.
        func bucket(_ rate: Rate) -> SharedBucket { SharedBucket(rate, fallback: fallback, maxDelay: state.maxDelay) }

        /// Claims a permission for the first waiting request of a group, unless one is claimed already.
        func ask(_ keeper: GateKeeper<TokenGate>, _ group: String) {
            let now = keeper.time.instant
            guard let (number, claim) = keeper.withGate(group, { $1 > 0 ? $0.claim(at: now) : nil }) ?? nil else { return }
            // Detached, because the permission is for whichever request is the first one when it arrives.
            Task.detached {
                let reply = await state.take(claim, of: SharedGroup.text(name, group))
                let now = keeper.time.instant
                keeper.leave(group) { $0.shared?.receive(reply, at: now) }
                keeper.leave(group) { $0.shared?.drop(number) }
            }
        }

        /// Pauses the group in all processes, without waiting.
        func pause(_ group: String, for duration: Duration) {
            Task.detached { await state.pause(SharedGroup.text(name, group), for: duration) }
        }
    }
}
