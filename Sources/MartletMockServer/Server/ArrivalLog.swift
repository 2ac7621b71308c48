/// Records when the bytes of a connection arrived, because pipelined requests are read later.
struct ArrivalLog {
    /// A position in the received bytes and its time of arrival.
    private struct Mark {
        let end: Int
        let moment: Duration
    }

    private let start: ContinuousClock.Instant
    private let time: any TimeSource
    private var marks: ArraySlice<Mark> = []
    private var received = 0
    private var last = Duration.zero

    init(start: ContinuousClock.Instant, time: any TimeSource) {
        self.start = start
        self.time = time
    }

    /// Records that this number of bytes has arrived now.
    mutating func note(_ count: Int) {
        received += count
        marks.append(Mark(end: received, moment: time.instant - start))
    }

    /// Returns when the first and the last byte of a head that was just read arrived. `unread` bytes arrived after it.
    mutating func takeHead(of count: Int, unread: Int) -> (firstByte: Duration, head: Duration) {
        let end = received - unread
        return (moment(of: end - count), moment(of: end - 1))
    }

    /// Returns when the last byte that was read arrived. `unread` bytes arrived after it.
    mutating func lastTaken(unread: Int) -> Duration { moment(of: received - unread - 1) }

    /// Returns when the byte at a position arrived. Marks of earlier bytes are removed.
    private mutating func moment(of place: Int) -> Duration {
        while let first = marks.first, first.end <= place {
            last = first.moment
            marks.removeFirst()
        }
        return marks.first?.moment ?? last
    }
}
