import Testing

@testable import MartletCurl

@Suite("DebugNotice", .timeLimit(.minutes(5)))
struct DebugNoticeTests {
    private func notice(_ line: String) -> DebugNotice? { Array(line.utf8).withUnsafeBufferPointer { DebugNotice($0) } }

    @Test("The lines of libcurl 7.88 and 8.x about connections, streams and retirement are read")
    func known() {
        let cases: [(String, DebugNotice)] = [
            ("Connected to localhost (127.0.0.1) port 8443 (#12)\n", .connection(12)),
            ("Connected to (#3) (127.0.0.1) port 8443 (#0)\n", .connection(0)),
            ("Re-using existing connection #7 with host localhost\n", .connection(7)),
            ("Using Stream ID: 1999 (easy handle 0x5581)\n", .stream(1999)),
            ("[HTTP/2] [15] OPENED stream for https://localhost/\n", .stream(15)),
            ("recveived GOAWAY, error=0, last_stream=1999\n", .goAway(lastStream: 1999)),
            ("received GOAWAY, error=11, last_stream=2147483647\n", .goAway(lastStream: 2_147_483_647)),
            ("Connection died, retrying a fresh connect (retry count: 1)\n", .connectionDied),
            ("h2_process_pending_input: nghttp2_session_mem_recv() returned -902:The user callback function failed\n", .headTooLarge),
            ("process_pending_input: nghttp2_session_mem_recv() returned -905:Too many CONTINUATION frames following\n", .headTooLarge),
            ("nghttp2 recv error -905: Too many CONTINUATION frames following a HEADER frame\n", .headTooLarge),
            ("Downgrades to HTTP/1.1!\n", .connectionDied), ("Connection died, tried 5 times before giving up\n", .connectionDied),
        ]
        for (line, expected) in cases { #expect(notice(line) == expected, "\(line)") }
    }

    @Test(
        "Other lines, incomplete ones and numbers that are none are ignored",
        arguments: [
            "", "\n", "C", "Connected to localhost (127.0.0.1) port 8443\n", "Connected to localhost (#)\n", "Connected to localhost (#1",
            "Re-using existing connection with host localhost\n", "Re-using existing connection #x\n", "Using Stream ID: \n",
            "Using Stream ID: -1\n", "Using Stream ID: 1234567890123456789 \n", "[HTTP/2] [15] [:method: GET]\n", "[HTTP/2] [1",
            "received GOAWAY, error=0\n", "received GOAWAY, error=, last_stream=1\n", "received GOAWAY, error=0, last_stream=\n",
            "nghttp2 recv error -506: Invalid stream state\n", "h2h3 [:method: GET]\n", "process_pending_input: nothing\n",
            " received GOAWAY, error=0, last_stream=1\n", "Received GOAWAY, error=0, last_stream=1\n", "old SSL session ID is stale\n",
        ])
    func others(line: String) { #expect(notice(line) == nil) }
}
