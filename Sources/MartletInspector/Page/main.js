// Connects the parts of the page.

import { applyTheme, makeActions, makeChips, makeColumns, makeDivider, nextTheme, savedTheme, updateChips, updateColumns } from "./controls.js";
import { Detail } from "./detail.js";
import { button, byID, el } from "./dom.js";
import { emptyState, summaryText } from "./states.js";
import { chips, parseSearch, sorted } from "./filter.js";
import { writeHAR } from "./har-write.js";
import { connectKeys } from "./keyboard.js";
import { List } from "./list.js";
import { Live } from "./live.js";
import { acceptDrops, openFile, openServed } from "./recording.js";
import { Store } from "./store.js";
import { download, toast } from "./toast.js";

const liveStore = new Store();
const live = new Live(liveStore);
const list = new List();
const detail = new Detail();
let store = liveStore;
let connection = "connecting";
let chip = "all";
let test = () => true;
let order = { column: "time", isDescending: false };
const isPhone = matchMedia("(max-width: 760px)");

function showConnection(state, message) {
  connection = state;
  const texts = { connecting: "Connecting", live: "Live", lost: "Disconnected", file: "Recording" };
  const node = byID("connection");
  node.className = `connection connection-${state}`;
  node.textContent = texts[state];
  node.title = message ?? (state === "lost" ? "The app does not respond. The calls that were loaded stay here." : "");
  showBanner();
  refresh();
}

function showBanner() {
  byID("banner").hidden = !store.recording;
  if (store.recording) {
    byID("banner").replaceChildren(el("span", {}, "Recording ", el("b", { text: store.recording }), store.creator ? ` by ${store.creator.slice(0, 60)}` : ""),
      connection === "file" ? "" : button("Back to the live calls", { class: "button button-small", id: "to-live" }, () => use(liveStore)));
  }
}

let refreshing = false;
function refresh() {
  if (refreshing) return;
  refreshing = true;
  requestAnimationFrame(() => {
    refreshing = false;
    const all = store.calls;
    const chipTest = chips.find(([name]) => name === chip)[2];
    const found = all.filter(test);
    const shown = sorted(found.filter(chipTest), order);
    updateChips(found, chip);
    list.show(shown, order.column === "time" && !order.isDescending);
    byID("title").textContent = store.app || liveStore.app || "Inspector";
    document.title = `${store.recording ?? (liveStore.app || "Martlet")} – Inspector`;
    const isLost = connection === "lost" && store === liveStore && all.length > 0;
    byID("summary").classList.toggle("summary-lost", isLost);
    byID("summary").textContent = isLost ? "The app does not respond. Loaded calls stay here; the page reconnects by itself." : summaryText(shown, all, store.limits);
    byID("save").disabled = all.length === 0;
    byID("clear").disabled = Boolean(store.recording) || !all.some((call) => call.state !== "running");
    emptyState({ isEmpty: shown.length === 0, hasCalls: all.length > 0, connection, isLoaded: store.isLoaded, reset });
  });
}

function reset() {
  byID("search").value = "";
  test = () => true;
  chip = "all";
  refresh();
}

function use(next) {
  store = next;
  closeDetail();
  order = { column: "time", isDescending: false };
  list.isFollowing = !next.recording;
  updateColumns(order);
  reset();
  showBanner();
  if (next.recording) byID("list").scrollTop = 0;
}

let loading = null;
let isLoadNeeded = false;
async function load(id) {
  if (store !== liveStore) return;
  if (loading === id) { isLoadNeeded = true; return; }
  loading = id;
  isLoadNeeded = false;
  const known = store.get(id);
  loaded = { id, key: known ? stageOf(known) : "", at: Date.now() };
  try {
    const call = await live.details(id);
    if (call && list.selected === id && store === liveStore) detail.show(call, true);
    else if (!call && list.selected === id) detail.fail("The app has removed this call, because its limits were reached.");
  } catch (error) {
    if (list.selected === id) detail.fail(error.message);
  } finally {
    if (loading === id) {
      loading = null;
      const call = store.get(id);
      if (isLoadNeeded && call && list.selected === id) setTimeout(() => reload(call), 300);
    }
  }
}

/// What a running call must have changed for its bodies to be loaded again at once.
const stageOf = (call) => [call.state, ...call.attempts.map(({ status, duration }) => `${status}/${duration === null}`)].join();

let loaded = { id: null, key: "", at: 0 };
let timer = null;

/// Loads the bodies of a changed call: every two seconds while they grow, because the app encodes them each time. The growing body of a download is not loaded.
function reload(call) {
  clearTimeout(timer);
  const isGrowing = call.state === "running" && loaded.id === call.id && loaded.key === stageOf(call);
  if (isGrowing && call.kind === "download") return;
  const wait = isGrowing ? loaded.at + 2000 - Date.now() : 0;
  if (wait > 0) timer = setTimeout(() => load(call.id), wait);
  else load(call.id);
}

function showSelected(id, isByUser) {
  const call = id === null ? null : store.get(id);
  document.body.classList.toggle("has-detail", call !== null);
  if (!call) return detail.close();
  const wasOpen = detail.isOpen;
  detail.show(call, store !== liveStore);
  load(id);
  if (!wasOpen) requestAnimationFrame(() => list.revealSelected());
  if (isPhone.matches && isByUser) {
    if (!wasOpen) history.pushState({ isDetail: true }, "");
    detail.back();
  }
}

function closeDetail() {
  if (history.state?.isDetail) history.replaceState(null, "");
  list.select(null);
  byID("list").focus({ preventScroll: true });
}

function storeChanged(source, id) {
  if (source !== store) return;
  refresh();
  if (list.selected === null) return;
  const selected = store.get(list.selected);
  if (!selected) {
    if (detail.isOpen) detail.fail("This call was removed from the list.");
  } else if (id === null || id === selected.id) {
    detail.show(selected, store !== liveStore);
    reload(selected);
  }
}

async function saveAll() {
  const name = (store.app || liveStore.app || "calls").replace(/[^\w.-]+/g, "-");
  if (store.file) return download(await store.file.text(), store.recording);
  try {
    const response = await fetch("har");
    if (!response.ok) throw new Error(`status ${response.status}`);
    download(await response.text(), `${name}.har`);
    toast(`Saved ${name}.har`);
  } catch (error) {
    toast(`The recording could not be saved: ${error instanceof TypeError ? "the app does not respond" : error.message}`, true);
  }
}

const clear = () => live.clear().catch((error) => toast(`The list could not be cleared: ${error instanceof TypeError ? "the app does not respond" : error.message}`, true));
const chooseFile = () => byID("file").click();
const help = () => byID("help").showModal();
const search = byID("search");

function escape() {
  if (document.activeElement === search) {
    if (search.value) { search.value = ""; search.dispatchEvent(new Event("input")); } else byID("list").focus();
  } else if (detail.isOpen) closeDetail();
  else if (chip !== "all" || search.value) reset();
}

function choose(name) { chip = chip === name ? "all" : name; refresh(); }
function sort(column) {
  const isDescendingFirst = column === "size" || column === "duration";
  if (order.column !== column) order = { column, isDescending: isDescendingFirst };
  else if (order.isDescending === isDescendingFirst) order = { column, isDescending: !isDescendingFirst };
  else order = { column: "time", isDescending: false };
  updateColumns(order);
  refresh();
}

applyTheme(savedTheme());
makeActions({ open: chooseFile, save: saveAll, clear, help });
makeChips(choose);
makeColumns(sort);
updateColumns(order);
makeDivider();
connectKeys([
  { keys: ["ArrowDown", "j"], label: ["↓", "J"], text: "Next call", inList: true, run: () => list.move(1) },
  { keys: ["ArrowUp", "k"], label: ["↑", "K"], text: "Previous call", inList: true, run: () => list.move(-1) },
  { keys: ["PageDown"], inList: true, run: () => list.move(list.pageSize) },
  { keys: ["PageUp"], inList: true, run: () => list.move(-list.pageSize) },
  { keys: ["Home", "End"], label: ["Home", "End"], text: "First and last call", inList: true, run: (key) => list.move(key === "Home" ? -Infinity : Infinity) },
  { keys: ["Enter"], label: ["Enter"], text: "Read the selected call", inList: true, run: () => { if (detail.isOpen) detail.focus(); else list.move(1); } },
  { keys: ["Escape"], label: ["Esc"], text: "Close the call, or clear the search", whileTyping: true, run: escape },
  { keys: ["/"], label: ["/"], text: "Search", run: () => { search.focus(); search.select(); } },
  { keys: ["1", "2", "3", "4", "5"], label: ["1", "…", "5"], text: "Choose a tab", run: (key) => detail.choose(Number(key) - 1) },
  { keys: ["[", "]"], label: ["[", "]"], text: "Previous and next attempt", run: (key) => detail.moveAttempt(key === "[" ? -1 : 1) },
  { keys: ["c"], label: ["C"], text: "Copy as cURL", run: () => { if (detail.isOpen) detail.copyCurl(); } },
  { keys: ["s"], label: ["S"], text: "Copy as Swift", run: () => { if (detail.isOpen) detail.copySwift(); } },
  { keys: ["f"], label: ["F"], text: "Only failed calls", run: () => choose("failed") },
  { keys: ["h"], label: ["H"], text: "Save all calls as HAR", run: () => { if (store.size) saveAll(); } },
  { keys: ["o"], label: ["O"], text: "Open a HAR file", run: chooseFile },
  { keys: ["x"], label: ["X"], text: "Clear the list", run: () => { if (!byID("clear").disabled) clear(); } },
  { keys: ["t"], label: ["T"], text: "Light or dark", run: nextTheme },
  { keys: ["?"], label: ["?"], text: "This help", run: help },
]);

list.onSelect = showSelected;
detail.onClose = () => { if (history.state?.isDetail) history.back(); else closeDetail(); };
detail.onSave = (call) => { download(writeHAR([call]), `call-${call.id.replace(/[^\w-]+/g, "-")}.har`); toast("Saved the call as HAR"); };
addEventListener("popstate", () => { if (detail.isOpen) closeDetail(); });
search.addEventListener("input", () => { test = parseSearch(search.value); refresh(); });
search.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); byID("list").focus(); if (list.selected === null) list.move(1); }
});
byID("file").addEventListener("change", ({ target }) => { if (target.files[0]) openFile(target.files[0], use); target.value = ""; });
acceptDrops(use);
liveStore.subscribe((id) => storeChanged(liveStore, id));
live.onState = showConnection;
live.onStream = (id, first, events) => { if (store === liveStore) detail.addEvents(id, first, events); };
live.onRecording = (name) => openServed(name, (next) => { connection = "file"; use(next); showConnection("file"); }, (text) => { liveStore.isLoaded = true; showConnection("lost", text); toast(text, true); });
showConnection("connecting");
live.start();
