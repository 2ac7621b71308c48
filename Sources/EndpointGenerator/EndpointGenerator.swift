// EndpointGenerator: the source of a new endpoint, from a method, a path template and sample JSON. It reads and writes no files.
//
// - Paths: the path template, the sample query and the names derived from them.
// - Samples: what the values of all samples have in common.
// - Types: the Swift types of the samples, and valid names for them.
// - Output: the files: endpoint, models, repository, test. Also the checklist.
//
// Imports: MartletHTTP. Start with `EndpointPlan`.
