import Testing

@testable import MartletObservation

@Suite("PrometheusMetrics", .timeLimit(.minutes(5)))
struct PrometheusMetricsTests {
    private let metrics = PrometheusMetrics()

    private func label(_ name: String, _ value: String) -> CallMetric.Label { CallMetric.Label(name, value) }

    @Test("Counters and gauges have their help, type, sorted labels and sums")
    func sums() {
        let counter = CallMetric("b_total", .counter, help: "Counts."), gauge = CallMetric("a", .gauge, help: "Measures.")
        metrics.record(1, of: counter, labels: [label("y", "2"), label("x", "1")])
        metrics.record(0.5, of: counter, labels: [label("y", "2"), label("x", "1")])
        metrics.record(2, of: counter, labels: [label("y", "1"), label("x", "1")])
        metrics.record(1, of: gauge, labels: [])
        metrics.record(-3, of: gauge, labels: [])
        #expect(
            metrics.text == """
                # HELP a Measures.
                # TYPE a gauge
                a -2
                # HELP b_total Counts.
                # TYPE b_total counter
                b_total{x="1",y="1"} 2
                b_total{x="1",y="2"} 1.5

                """)
    }

    @Test("Buckets of a histogram are cumulative, contain their bound, and end with +Inf")
    func histogram() {
        let histogram = CallMetric("d", .histogram(bounds: [0.1, 1]), help: "Durations.")
        for value in [0.1, 0.5, 1, 7] { metrics.record(value, of: histogram, labels: [label("m", "GET")]) }
        metrics.record(0.05, of: CallMetric("e", .histogram(bounds: [.infinity]), help: ""), labels: [])
        #expect(
            metrics.text == """
                # HELP d Durations.
                # TYPE d histogram
                d_bucket{m="GET",le="0.1"} 1
                d_bucket{m="GET",le="1"} 3
                d_bucket{m="GET",le="+Inf"} 4
                d_sum{m="GET"} 8.6
                d_count{m="GET"} 4
                # HELP e \n# TYPE e histogram
                e_bucket{le="+Inf"} 1
                e_sum 0.05
                e_count 1

                """)
    }

    @Test("Backslashes, quotes and line ends of values and help texts are escaped, also within composed characters")
    func escaping() {
        metrics.record(1, of: CallMetric("a", .gauge, help: "a\\b\"c\nd"), labels: [label("l", "a\\b\"\u{301}c\r\nd")])
        #expect(metrics.text == "# HELP a a\\\\b\"c\\nd\n# TYPE a gauge\na{l=\"a\\\\b\\\"\u{301}c\r\\nd\"} 1\n")
    }

    @Test("Characters that names may not contain are replaced")
    func names() {
        metrics.record(1, of: CallMetric("1http.client:x-é", .gauge, help: ""), labels: [label("url.template", "a"), label("", "b")])
        #expect(metrics.text.hasSuffix("_1http_client:x__{_=\"b\",url_template=\"a\"} 1\n"))
    }

    @Test("Of labels with the same name, the last counts")
    func sameLabel() {
        metrics.record(1, of: CallMetric("a", .gauge, help: ""), labels: [label("l", "1"), label("l", "2")])
        #expect(metrics.text.hasSuffix("a{l=\"2\"} 1\n"))
    }

    @Test("Labels in another order, and names that are written in the same way, are one series")
    func merged() {
        let counter = CallMetric("a.b", .counter, help: "First."), same = CallMetric("a_b", .counter, help: "Second.")
        metrics.record(1, of: counter, labels: [label("x", "1"), label("y.z", "2")])
        metrics.record(2, of: counter, labels: [label("y_z", "2"), label("x", "1")])
        metrics.record(3, of: same, labels: [label("x", "1"), label("y_z", "2")])
        metrics.record(9, of: CallMetric("a~b", .histogram(bounds: [1]), help: "Third."), labels: [])
        #expect(metrics.text.split(separator: "\n").suffix(1) == [#"a_b{x="1",y_z="2"} 6"#])
        #expect(metrics.text.split(separator: "\n").count == 3)
    }

    @Test("Negative counts, values that are not numbers, and a second kind for a name are ignored")
    func ignored() {
        let counter = CallMetric("a", .counter, help: "")
        metrics.record(-1, of: counter, labels: [])
        metrics.record(.nan, of: counter, labels: [])
        #expect(metrics.text.isEmpty)
        metrics.record(1, of: counter, labels: [])
        metrics.record(5, of: CallMetric("a", .gauge, help: ""), labels: [])
        #expect(metrics.text.hasSuffix("a 1\n"))
    }

    @Test(
        "Numbers are written as Prometheus reads them",
        arguments: [
            (0, "0"), (-0.0, "0"), (12, "12"), (0.25, "0.25"), (1e-7, "1e-07"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
            (1e300, "1e+300"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) {
        #expect(PrometheusText.number(value) == text)
    }
}
