wrk.method = "POST"
wrk.body = string.rep("\0", 1048576)
