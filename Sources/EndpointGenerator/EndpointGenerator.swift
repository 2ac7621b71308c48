// EndpointGenerator: the source of a new endpoint, from a method, a path template and sample JSON. It reads and writes no files.
//
// - Code: valid names and the text of Swift code.
// - Samples: what the values of all samples have in common.
// - Types: the Swift types of the samples.
// - Paths: the path template, the sample query and the names derived from them.
// - Output: the files: endpoint, models, repository, test. Also the checklist.
//
// Imports: MartletHTTP. Start with `EndpointPlan`.
