// Node's fetch. It cannot limit its connections: each request in flight has its own. Usage and output: Benchmarks/driver/README.md.
import { readFileSync } from "node:fs";

// One line, which the driver puts into the report.
process.on("uncaughtException", (error) => { console.error(String(error.cause ?? error)); process.exit(1); });

const [work, origin, inFlight, seconds] = process.argv.slice(2);
const upload = Buffer.alloc(1 << 20);
const query = JSON.stringify({ query: "query Bird($id: ID!) { bird(id: $id) { name } }", variables: { id: "1" } });
let bytes = 0;

function memory(name) {
    return Number(new RegExp(`${name}:\\s*(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))[1]);
}

async function call(name) {
    const options = {};
    if (name === "upload") Object.assign(options, { method: "POST", body: upload });
    if (name === "graphql") Object.assign(options, { method: "POST", body: query, headers: { "content-type": "application/json" } });
    const response = await fetch(`${origin}/${name}`, options);
    if (!response.ok) throw new Error(`status ${response.status}`);
    if (name === "1g" || name === "events") for await (const chunk of response.body) bytes += chunk.length;
    else if (name === "json" || name === "graphql") await response.json();
    else bytes += (await response.arrayBuffer()).byteLength;
}

async function drive(name, end) {
    let done = 0;
    async function worker() {
        do { await call(name); done += 1; } while (performance.now() < end);
    }
    await Promise.all(Array.from({ length: Number(inFlight) }, worker));
    return done;
}

const protocol = await (await fetch(`${origin}/protocol`)).text();
const idle = memory("VmRSS");
const warm = ["1g", "events"].includes(work) ? "1k" : work;
await drive(warm, performance.now() + Number(seconds) * 250);
bytes = 0;
const used = process.cpuUsage(), began = performance.now();
const requests = await drive(work, began + Number(seconds) * 1000);
const took = performance.now() - began, cpu = process.cpuUsage(used);
console.log(JSON.stringify({
    requests, seconds: took / 1000, cpu: (cpu.user + cpu.system) / 1e6, bytes, idle, peak: memory("VmHWM"), protocol, version: process.version,
}));
process.exit(0);
