wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = [[{"query":"query Bird($id: ID!) { bird(id: $id) { name } }","variables":{"id":"1"}}]]
