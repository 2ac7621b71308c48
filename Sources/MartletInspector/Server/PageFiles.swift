internal import MartletEssentials

/// The files of the page, which are compiled into the library.
enum PageFiles {
    /// Returns a file with its media type, or nil if the page has no such file.
    static func file(_ name: String) -> (type: String, bytes: Data)? {
        guard let bytes = files[name], let type = types[name.split(separator: ".").last ?? ""] else { return nil }
        return (type, Data(bytes))
    }

    private static let types: [Substring: String] = [
        "html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml",
    ]

    static let files: [String: [UInt8]] = [
        "base.css": PackageResources.base_css,
        "body.css": PackageResources.body_css,
        "body.js": PackageResources.body_js,
        "call.js": PackageResources.call_js,
        "code.js": PackageResources.code_js,
        "controls.js": PackageResources.controls_js,
        "curl.js": PackageResources.curl_js,
        "detail.css": PackageResources.detail_css,
        "detail.js": PackageResources.detail_js,
        "dom.js": PackageResources.dom_js,
        "exchange.js": PackageResources.exchange_js,
        "explain.js": PackageResources.explain_js,
        "filter.js": PackageResources.filter_js,
        "format.js": PackageResources.format_js,
        "har-attempt.js": PackageResources.har_attempt_js,
        "har-entry.js": PackageResources.har_entry_js,
        "har-read.js": PackageResources.har_read_js,
        "har-write.js": PackageResources.har_write_js,
        "icon.svg": PackageResources.icon_svg,
        "index.html": PackageResources.index_html,
        "json-tree.js": PackageResources.json_tree_js,
        "keyboard.js": PackageResources.keyboard_js,
        "layout.css": PackageResources.layout_css,
        "list.css": PackageResources.list_css,
        "list.js": PackageResources.list_js,
        "live.js": PackageResources.live_js,
        "main.js": PackageResources.main_js,
        "overview.js": PackageResources.overview_js,
        "recording.js": PackageResources.recording_js,
        "row.js": PackageResources.row_js,
        "states.js": PackageResources.states_js,
        "store.js": PackageResources.store_js,
        "stream.js": PackageResources.stream_js,
        "text-view.js": PackageResources.text_view_js,
        "toast.js": PackageResources.toast_js,
        "waterfall.css": PackageResources.waterfall_css,
        "waterfall.js": PackageResources.waterfall_js,
    ]
}
