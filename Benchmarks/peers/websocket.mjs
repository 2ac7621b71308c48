// Sends messages to an echo server with Node's WebSocket: node --experimental-websocket websocket.mjs URL COUNT WINDOW
const [url, count, flight] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const socket = new WebSocket(url.replace("http", "ws"));
const text = "x".repeat(100);
let sent = 0, received = 0, began;
const send = (limit) => { for (; sent < limit; sent++) socket.send(text); };
socket.onopen = () => {
    began = process.hrtime.bigint();
    send(flight ? Math.min(flight, count) : count);
};
socket.onmessage = () => {
    received++;
    if (sent < count) send(sent + 1);
    if (received < count) return;
    const seconds = Number(process.hrtime.bigint() - began) / 1e9, used = process.cpuUsage();
    console.log(`${Math.round(count / seconds)} ${((used.user + used.system) / count).toFixed(2)}`);
    socket.close();
};
