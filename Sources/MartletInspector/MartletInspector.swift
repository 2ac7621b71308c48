// MartletInspector: a page on loopback that shows the calls of an app under development.
//
// - Server: what the page's server sends and refuses. See Documentation/InspectorFormat.md.
// - Page: the page's HTML, CSS and JavaScript.
//
// Imports: MartletHAR, which it re-exports. Start with `Inspector`.

@_exported public import MartletHAR
