// MartletInspector: a page on loopback that shows the calls of an app under development.
//
// - Inspector: the observer, its server and its limits.
// - Format: the calls as the page reads them. See Documentation/InspectorFormat.md.
// - Page: the page's HTML, CSS and JavaScript.
//
// Imports: MartletObservation, which it re-exports. Start with `Inspector`.

@_exported public import MartletObservation
