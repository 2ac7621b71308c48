// A collection of calls in the order in which they started, and the listeners of its changes.

import { readCall } from "./call.js";

export class Store {
  #calls = new Map();
  #listeners = new Set();

  constructor({ app = "", recording = null } = {}) {
    this.app = app;
    this.recording = recording;
    this.limits = null;
    this.isLoaded = false;
  }

  get calls() { return [...this.#calls.values()]; }
  get size() { return this.#calls.size; }
  get(id) { return this.#calls.get(id) ?? null; }

  /// Calls `listener` after each change, with the ID of the changed call or nil for all.
  subscribe(listener) { this.#listeners.add(listener); }

  #changed(id) { for (const listener of this.#listeners) listener(id); }

  /// Replaces all calls by those of a snapshot. Newer versions that arrived before it are kept.
  replace(values) {
    const old = this.#calls;
    this.#calls = new Map();
    for (const value of values) {
      const call = readCall(value);
      if (!call) continue;
      const known = old.get(call.id);
      this.#calls.set(call.id, known && known.revision >= call.revision && known.revision > 0 ? known : call);
    }
    this.isLoaded = true;
    this.#changed(null);
  }

  /// Inserts or updates a call, unless a newer version of it is known.
  put(value) {
    const call = readCall(value);
    if (!call) return;
    const known = this.#calls.get(call.id);
    if (known && call.revision > 0 && known.revision >= call.revision) return;
    this.#calls.set(call.id, call);
    this.#changed(call.id);
  }

  /// Removes calls by ID.
  remove(ids) {
    for (const id of ids) this.#calls.delete(String(id));
    this.#changed(null);
  }

  /// Removes the calls that have ended, up to a revision if there is one.
  clear(revision = Infinity) {
    for (const [id, call] of this.#calls) if (call.state !== "running" && call.revision <= revision) this.#calls.delete(id);
    this.#changed(null);
  }
}
