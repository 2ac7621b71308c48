/// When the bytes of a connection came: for what is read later than it came, as pipelined requests are.
struct ArrivalLog {
    /// Up to where the bytes had come, and when.
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

    /// Notes that so many bytes have come now.
    mutating func note(_ count: Int) {
        received += count
        marks.append(Mark(end: received, moment: time.instant - start))
    }

    /// When a head that has just been read began and ended; `unread` bytes came after it.
    mutating func takeHead(of count: Int, unread: Int) -> (firstByte: Duration, head: Duration) {
        let end = received - unread
        return (moment(of: end - count), moment(of: end - 1))
    }

    /// When the last byte came that has been read; `unread` bytes came after it.
    mutating func lastTaken(unread: Int) -> Duration { moment(of: received - unread - 1) }

    /// When the byte at a place came. Those before it are asked for no more.
    private mutating func moment(of place: Int) -> Duration {
        while let first = marks.first, first.end <= place {
            last = first.moment
            marks.removeFirst()
        }
        return marks.first?.moment ?? last
    }
}
