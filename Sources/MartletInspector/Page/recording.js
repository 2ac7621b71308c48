// Opens HAR files: dropped, chosen or served by the app.

import { byID } from "./dom.js";
import { HARError, readFile, readHAR } from "./har-read.js";
import { Store } from "./store.js";
import { toast } from "./toast.js";

function storeOf({ calls, creator, skipped, omitted }, name) {
  const store = new Store({ recording: name });
  store.creator = creator;
  store.replace(calls);
  if (skipped.length) toast(`${skipped.length === 1 ? "One entry" : `${skipped.length} entries`} of “${name}” could not be read: number ${skipped.slice(0, 5).join(", ")}${skipped.length > 5 ? ", …" : ""}`, true);
  if (omitted) toast(`“${name}” has ${omitted} more entries, which are not shown`, true);
  return store;
}

/// Opens a file and passes its calls to `open`. If it is damaged, a message says why, and the page stays as it is.
export async function openFile(file, open) {
  try {
    const store = storeOf(await readFile(file), file.name);
    store.file = file;
    open(store);
  } catch (error) {
    toast(error instanceof HARError ? error.message : `“${file.name}” could not be read: ${error.message}`, true);
  }
}

/// Opens the recording that the app serves.
export async function openServed(name, open, fail) {
  try {
    const text = await (await fetch("har")).text();
    const store = storeOf(readHAR(text, name), name);
    store.file = new File([text], name);
    open(store);
  } catch (error) {
    fail(error.message);
  }
}

/// Accepts files that are dropped onto the page.
export function acceptDrops(open) {
  const overlay = byID("drop");
  let depth = 0;
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const show = (isVisible) => { overlay.hidden = !isVisible; if (!isVisible) depth = 0; };
  addEventListener("dragenter", (event) => { if (hasFiles(event)) { depth += 1; show(true); } });
  addEventListener("dragleave", () => { depth -= 1; if (depth <= 0) show(false); });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    show(false);
    const file = event.dataTransfer?.files[0];
    if (file) openFile(file, open);
  });
}
