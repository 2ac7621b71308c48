// The connection to the app: the list of calls, its changes as server-sent events, and a call with its bodies.

import { readCall, readEvent } from "./call.js";

export class Live {
  #store;
  #queue = null;
  #isOutdated = false;
  #details = new Map();
  onState = () => {};
  onStream = () => {};
  onRecording = () => {};

  constructor(store) { this.#store = store; }

  /// Follows the changes, and loads the calls after each connection, so that no change is lost. The browser reconnects.
  start() {
    const source = new EventSource("events");
    const handle = (name, action) => source.addEventListener(name, (message) => {
      let data;
      try {
        data = JSON.parse(message.data);
      } catch {
        return;
      }
      if (this.#queue) this.#queue.push(() => action(data));
      else action(data);
    });
    handle("call", (call) => this.#store.put(call));
    handle("removed", ({ ids }) => this.#store.remove(Array.isArray(ids) ? ids : []));
    handle("cleared", ({ revision }) => this.#store.clear(revision));
    handle("stream", ({ id, first, items }) => { if (Array.isArray(items)) this.onStream(String(id), first, items.map(readEvent)); });
    source.addEventListener("open", () => this.#load(source));
    source.addEventListener("error", () => {
      if (this.#store.isLoaded) this.onState("lost");
      else this.#load(source);
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.start(), 3000);
    });
  }

  async #load(source) {
    if (this.#queue) {
      this.#isOutdated = true;
      return;
    }
    this.#queue = [];
    this.#isOutdated = false;
    try {
      const response = await fetch("calls");
      if (!response.ok) throw new Error(`The app returned status ${response.status}.`);
      const reply = await response.json();
      this.#store.app = typeof reply.app === "string" ? reply.app : "";
      this.#store.limits = reply.limits ?? null;
      if (typeof reply.recording === "string") {
        source.close();
        await this.onRecording(reply.recording);
        return;
      }
      if (reply.version !== 1) throw new Error("The app uses a different version of the inspector's format.");
      this.#store.replace(Array.isArray(reply.calls) ? reply.calls : []);
      this.onState("live");
    } catch (error) {
      this.onState("lost", error instanceof TypeError ? null : error.message);
    } finally {
      const queue = this.#queue;
      this.#queue = null;
      for (const action of queue) action();
      if (this.#isOutdated) this.#load(source);
    }
  }

  /// Returns a call with its bodies. The last 30 are kept, so that they stay readable after the app ends.
  async details(id) {
    const known = this.#store.get(id);
    const kept = this.#details.get(id);
    if (kept && known && kept.revision === known.revision && known.revision > 0) return kept;
    try {
      const response = await fetch(`calls/${encodeURIComponent(id)}`);
      if (response.status === 404) {
        this.#store.remove([id]);
        return null;
      }
      if (!response.ok) throw new Error(`The app returned status ${response.status}.`);
      const call = readCall(await response.json());
      if (!call) throw new Error("The app returned a malformed call.");
      this.#details.delete(id);
      this.#details.set(id, call);
      if (this.#details.size > 30) this.#details.delete(this.#details.keys().next().value);
      return call;
    } catch (error) {
      if (kept) return kept;
      throw error instanceof TypeError ? new Error("The app does not respond. The bodies of this call were not loaded.") : error;
    }
  }

  /// Removes all calls that have ended.
  async clear() {
    const response = await fetch("clear", { method: "POST" });
    if (!response.ok) throw new Error(`The app returned status ${response.status}.`);
  }
}
