/// Handwritten HAR files in the forms that browsers and proxies write.
enum BrowserHars {
    static let chrome = #"""
        {
          "log": {
            "version": "1.2",
            "creator": { "name": "WebInspector", "version": "537.36" },
            "pages": [ { "startedDateTime": "2026-01-05T10:00:00.000Z", "id": "page_1", "title": "https://shop.example/",
                         "pageTimings": { "onContentLoad": 120.5, "onLoad": 300 } } ],
            "entries": [
              {
                "_connectionId": "51", "_initiator": { "type": "other" }, "_priority": "VeryHigh", "_resourceType": "document",
                "cache": {}, "connection": "443", "pageref": "page_1",
                "request": {
                  "method": "GET", "url": "https://shop.example/", "httpVersion": "http/2.0",
                  "headers": [ { "name": ":authority", "value": "shop.example" }, { "name": ":method", "value": "GET" },
                               { "name": ":path", "value": "/" }, { "name": ":scheme", "value": "https" }, { "name": "accept", "value": "*/*" } ],
                  "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0 },
                "response": {
                  "status": 302, "statusText": "", "httpVersion": "http/2.0",
                  "headers": [ { "name": "location", "value": "/api/items?page=2&sort=name" }, { "name": "content-length", "value": "138" } ],
                  "cookies": [], "content": { "size": 138, "mimeType": "text/html" },
                  "redirectURL": "/api/items?page=2&sort=name", "headersSize": -1, "bodySize": -1, "_transferSize": 211, "_error": null },
                "serverIPAddress": "[::1]", "startedDateTime": "2026-01-05T10:00:00.001Z", "time": 33.1,
                "timings": { "blocked": 2.1, "dns": -1, "ssl": 4, "connect": 10, "send": 0.1, "wait": 15, "receive": 1.9, "_blocked_queueing": 1 }
              },
              {
                "request": { "method": "GET", "url": "data:image/png;base64,AAAA", "httpVersion": "data", "headers": [], "queryString": [],
                             "cookies": [], "headersSize": -1, "bodySize": 0 },
                "response": { "status": 200, "statusText": "OK", "httpVersion": "data", "headers": [], "cookies": [],
                              "content": { "size": 3, "mimeType": "image/png" }, "redirectURL": "", "headersSize": -1, "bodySize": 0 },
                "startedDateTime": "2026-01-05T10:00:00.050Z", "time": 0, "timings": { "send": 0, "wait": 0, "receive": 0 }, "cache": {}
              },
              {
                "request": {
                  "method": "GET", "url": "https://shop.example/api/items?page=2&sort=name", "httpVersion": "http/2.0",
                  "headers": [ { "name": ":method", "value": "GET" }, { "name": "accept-encoding", "value": "gzip, br" } ],
                  "queryString": [ { "name": "page", "value": "2" }, { "name": "sort", "value": "name" } ],
                  "cookies": [], "headersSize": -1, "bodySize": 0 },
                "response": {
                  "status": 200, "statusText": "", "httpVersion": "http/2.0",
                  "headers": [ { "name": ":status", "value": "200" }, { "name": "content-encoding", "value": "br" },
                               { "name": "content-length", "value": "17" }, { "name": "content-type", "value": "application/json; charset=utf-8" },
                               { "name": "set-cookie", "value": "a=1; path=/\nb=2; secure" }, { "name": "vary", "value": "accept-encoding" } ],
                  "cookies": [ { "name": "a", "value": "1", "path": "/", "domain": "", "expires": "1969-12-31T23:59:59.000Z", "httpOnly": false } ],
                  "content": { "size": 20, "mimeType": "application/json", "compression": 3, "text": "{\"items\":[\"a\",\"\u00fc\"]}" },
                  "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 99, "_error": null,
                  "_fetchedViaServiceWorker": false },
                "serverIPAddress": "[::1]", "startedDateTime": "2026-01-05T10:00:00.101Z", "time": 12,
                "timings": { "blocked": 1, "dns": -1, "ssl": -1, "connect": -1, "send": 0, "wait": 10, "receive": 1 }, "cache": {}
              },
              {
                "request": { "method": "GET", "url": "https://shop.example/logo.png", "httpVersion": "http/2.0", "headers": [],
                             "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0 },
                "response": { "status": 200, "statusText": "OK", "httpVersion": "http/2.0",
                              "headers": [ { "name": "content-type", "value": "image/png" }, { "name": "content-length", "value": "4" } ],
                              "cookies": [], "content": { "size": 4, "mimeType": "image/png", "text": "iVBORw==", "encoding": "base64" },
                              "redirectURL": "", "headersSize": -1, "bodySize": 0, "_fromCache": "disk" },
                "startedDateTime": "2026-01-05T10:00:00.150Z", "time": 2, "timings": { "send": 0, "wait": 1, "receive": 1 }, "cache": {}
              },
              {
                "request": { "method": "POST", "url": "https://shop.example/api/cart", "httpVersion": "h3",
                             "headers": [ { "name": "content-type", "value": "application/json" } ],
                             "postData": { "mimeType": "application/json", "text": "{\"id\":7}" },
                             "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 8 },
                "response": { "status": 201, "statusText": "", "httpVersion": "h3", "headers": [], "cookies": [],
                              "content": { "size": 0, "mimeType": "x-unknown" }, "redirectURL": "", "headersSize": -1, "bodySize": -1 },
                "startedDateTime": "2026-01-05T10:00:00.200Z", "time": 2, "timings": { "send": 0, "wait": 1, "receive": 1 }, "cache": {}
              },
              {
                "request": { "method": "POST", "url": "https://shop.example/login", "httpVersion": "http/1.1",
                             "headers": [ { "name": "Content-Type", "value": "application/x-www-form-urlencoded" } ],
                             "postData": { "mimeType": "application/x-www-form-urlencoded", "text": "user=ada&note=a+b",
                                           "params": [ { "name": "user", "value": "ada" }, { "name": "note", "value": "a+b" } ] },
                             "queryString": [], "cookies": [], "headersSize": 500, "bodySize": 17 },
                "response": { "status": 204, "statusText": "No Content", "httpVersion": "http/1.1", "headers": [], "cookies": [],
                              "content": { "size": 0, "mimeType": "x-unknown" }, "redirectURL": "", "headersSize": 200, "bodySize": 0 },
                "startedDateTime": "2026-01-05T10:00:00.300Z", "time": 2, "timings": { "send": 0, "wait": 1, "receive": 1 }, "cache": {}
              }
            ]
          }
        }
        """#

    static let firefox = #"""
        {"log":{"version":"1.2","creator":{"name":"Firefox","version":"140.0","comment":""},"browser":{"name":"Firefox","version":"140.0"},
        "pages":[{"id":"page_1","pageTimings":{"onContentLoad":50,"onLoad":60},"startedDateTime":"2026-01-05T11:00:00.000+01:00","title":"x"}],
        "comment":"","entries":[
        {"startedDateTime":"2026-01-05T11:00:00.000+01:00","comment":"","request":{"bodySize":23,"method":"POST","url":"http://127.0.0.1:8000/form",
        "httpVersion":"HTTP/1.1","headers":[{"name":"Host","value":"127.0.0.1:8000"},{"name":"Content-Type","value":"application/x-www-form-urlencoded"}],
        "cookies":[],"queryString":[],"headersSize":300,
        "postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"name","value":"Ada L."},{"name":"city","value":"Köln"}],"text":""}},
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1",
        "headers":[{"name":"Content-Encoding","value":"gzip"},{"name":"Content-Length","value":"33"},{"name":"Transfer-Encoding","value":"chunked"}],
        "cookies":[],"content":{"mimeType":"text/html","size":13,"text":"<p>thanks</p>","comment":""},"redirectURL":"","headersSize":80,"bodySize":113},
        "cache":{},"timings":{"blocked":0,"dns":0,"connect":0,"ssl":0,"send":0,"wait":3,"receive":0},"time":3,
        "_securityState":"insecure","serverIPAddress":"127.0.0.1","connection":"8000","pageref":"page_1"},
        {"startedDateTime":"2026-01-05T11:00:00.100+01:00","request":{"bodySize":0,"method":"GET","url":"http://127.0.0.1:8000/old","httpVersion":"HTTP/1.1",
        "headers":[],"cookies":[],"queryString":[],"headersSize":0},
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","headers":[{"name":"Content-Type","value":"text/plain; charset=ISO-8859-1"}],
        "cookies":[],"content":{"mimeType":"text/plain; charset=ISO-8859-1","size":2,"text":"Jé"},"redirectURL":"","headersSize":80,"bodySize":2},
        "cache":{},"timings":{"send":0,"wait":1,"receive":0},"time":1}
        ]}}
        """#

    static let safari = #"""
        {"log":{"version":"1.2","creator":{"name":"WebKit Web Inspector","version":"1.0"},"pages":[],"entries":[
        {"startedDateTime":"2026-01-05T10:00:00.000Z","time":5.1,"request":{"method":"GET","url":"https://shop.example/a","httpVersion":"HTTP/3"},
        "response":{"status":200,"httpVersion":"HTTP/3","content":{"size":2,"mimeType":"text/plain","text":"ok"}},
        "cache":{},"timings":{"blocked":1,"dns":-1,"connect":-1,"ssl":-1,"send":1,"wait":1,"receive":1},"_fetchType":"Network Load","_priority":"high"}
        ]}}
        """#

    static let mitmproxy = #"""
        {"log":{"version":"1.2","creator":{"name":"mitmproxy","version":"11.0.2","comment":""},"pages":[],"entries":[
        {"startedDateTime":"2026-01-05T10:00:00.123456+00:00","time":4.2,
        "request":{"method":"POST","url":"http://127.0.0.1:9999/post","httpVersion":"HTTP/1.1","cookies":[],
        "headers":[{"name":"Content-Type","value":"application/x-www-form-urlencoded"}],"queryString":[],"headersSize":120,"bodySize":7,
        "postData":{"mimeType":"application/x-www-form-urlencoded","text":"a=1&b=2","params":[{"name":"a","value":"1"},{"name":"b","value":"2"}]}},
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],
        "headers":[{"name":"content-encoding","value":"gzip"},{"name":"content-length","value":"25"}],
        "content":{"size":25,"compression":-20,"mimeType":"","text":"hello"},"redirectURL":"","headersSize":80,"bodySize":25},
        "cache":{},"timings":{"connect":0.5,"ssl":-1.0,"send":1.0,"receive":0.7,"wait":2.0},"serverIPAddress":"127.0.0.1"},
        {"startedDateTime":"2026-01-05T10:00:01+00:00","time":1,
        "request":{"method":"PUT","url":"http://127.0.0.1:9999/put","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],
        "headersSize":1,"bodySize":0,"postData":{"mimeType":"","text":"","params":[]}},
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],
        "content":{"size":3,"compression":0,"mimeType":"","text":"AAH/","encoding":"base64"},"redirectURL":"","headersSize":0,"bodySize":3},
        "cache":{},"timings":{"connect":-1.0,"ssl":-1.0,"send":1.0,"receive":0.7,"wait":2.0}},
        {"startedDateTime":"2026-01-05T10:00:02+00:00","time":1,
        "request":{"method":"GET","url":"http://127.0.0.1:9999/gone","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],
        "headersSize":1,"bodySize":0},
        "response":{"status":0,"statusText":"","httpVersion":"","headers":[],"cookies":[],"content":{},"redirectURL":"","headersSize":-1,"bodySize":-1,
        "_transferSize":0,"_error":"server closed connection"},
        "cache":{},"timings":{"connect":-1.0,"ssl":-1.0,"send":1.0,"receive":0,"wait":0}}
        ]}}
        """#
}
