// Builds the page and shows the state in its link.

import "./lab.css";
import { file } from "./ask.js";
import { button, el, typing } from "./dom.js";
import { experimentPanels } from "./experiments/index.js";
import type { Panel } from "./lab.js";
import { read, write } from "./link.js";
import { Page } from "./page.js";
import { patternRoom } from "./patterns/index.js";
import { Tabs, type Tab } from "./tabs.js";
import { themeButtons } from "./theme.js";
import { Voice } from "./voice.js";

const PAUSE = 150; // milliseconds without a change before the address is written

takeToken();
const voice = new Voice();
const canvas = el("canvas", {
  class: "plane", tabindex: 0, role: "application", "data-test": "plane", "aria-label": "Plane with the points",
  "aria-describedby": "plane-help",
});
let timer = 0;
const page = new Page(canvas, voice, () => {
  clearTimeout(timer);
  // Set while the address does not yet show the page's state.
  document.documentElement.dataset.behind = "";
  timer = window.setTimeout(follow, PAUSE);
});
let restored = false;

const stepsTab: Tab = { id: "steps", title: "Steps", mount: root => root.append(page.steps.root) };
const panelTabs = new Tabs("Panels", [stepsTab, ...experimentPanels.map(tabOf)], moved);
const planeRoom = el("div", { class: "room" }, left(), right());
const rooms = new Tabs("Workspaces", [{ id: "plane", title: "The plane", mount: root => root.append(planeRoom) }, tabOf(patternRoom)], moved);
document.body.append(
  el("header", {}, el("h1", {}, "Rosenblatt", el("span", {}, " · the lab")), rooms.list,
    el("div", { class: "actions" }, copyButton(), ...themeButtons(() => page.plane.redraw()))),
  el("main", {}, voice.root, ...rooms.panels), voice.spoken);
document.addEventListener("keydown", shortcut);
// Releasing a slider ends its gesture: the next movement is a separate undo step.
document.addEventListener("change", () => page.store.settle());
// The timer above may have changed the address since; the event holds the requested link.
addEventListener("hashchange", event => {
  // The address contained a token: reload, so that all requests carry it.
  if (takeToken()) location.reload();
  else void open(new URL(event.newURL).hash);
});
void begin();

async function begin(): Promise<void> {
  page.file = await file().catch((error: unknown) => void voice.refused(error));
  page.picker.offer();
  await open(location.hash);
}

/** Shows the state in a link; reports and skips the parts that cannot be read. */
async function open(hash: string): Promise<void> {
  const faults: string[] = [];
  const bare = hash.length < 2;
  const link = read(bare && page.file ? "set=file" : hash, faults);
  const room = link.tab === patternRoom.id;
  try {
    await page.restore(link);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
    await page.restore(read("", []));
  }
  rooms.open(room ? patternRoom.id : "plane");
  panelTabs.open("steps");
  if (link.tab && !room) panelTabs.open(link.tab);
  restored = true;
  document.documentElement.dataset.ready = "true";
  if (faults.length > 0) voice.note(`This link could not be read in full: ${faults.slice(0, 3).join("; ")}.`);
}

/** Writes the page's state to the address, unless the first link is still loading. */
function follow(): void {
  if (restored) history.replaceState(null, "", address());
  delete document.documentElement.dataset.behind;
}

function address(): string {
  const tab = rooms.current === patternRoom.id ? patternRoom.id : panelTabs.current;
  return write({ ...page.link(), ...(tab && tab !== "steps" && { tab }) });
}

function moved(): void {
  history.replaceState(null, "", address());
}

function tabOf(panel: Panel): Tab {
  return {
    id: panel.id, title: panel.title, mount: root => panel.mount(root, page),
    show: () => panel.show?.(), hide: () => panel.hide?.(),
  };
}

function left(): HTMLElement {
  return el("section", { class: "left", "aria-label": "The plane" },
    page.picker.root, page.toolbar.root,
    el("p", { class: "unseen", id: "plane-help" }, "Arrow keys move a cursor; with Shift the steps are larger. Enter adds a point, "
      + "or picks up and puts down the point under the cursor. L changes its label, Delete removes it, plus and minus choose the class."),
    el("div", { class: "figure" }, canvas, page.invitation), el("div", { class: "below" }, page.legend.root, page.toolbar.zoom), page.table.root);
}

function right(): HTMLElement {
  return el("section", { class: "right", "aria-label": "The run" }, page.options.root, panelTabs.list, ...panelTabs.panels);
}

function copyButton(): HTMLButtonElement {
  const control = button("Copy link", () => {
    history.replaceState(null, "", address());
    // Browsers offer the clipboard only on secure origins.
    const copied = (navigator.clipboard as Clipboard | undefined)?.writeText(location.href) ?? Promise.reject(new Error());
    void copied.then(() => flash("Copied"), () => flash("Copy it from the address bar"));
  }, { "data-test": "copy-link", class: "quiet" });
  const flash = (text: string): void => {
    control.textContent = text;
    voice.say(text);
    window.setTimeout(() => { control.textContent = "Copy link"; }, 1800);
  };
  return control;
}

/** Handles the keys that work outside of text fields. */
function shortcut(event: KeyboardEvent): void {
  if (typing(event.target)) return;
  if (event.ctrlKey || event.metaKey) return undoKeys(event);
  if (event.altKey || rooms.current !== "plane") return;
  const { stepper } = page;
  const act = {
    n: stepper.next, b: stepper.previous, m: stepper.nextMistake, e: stepper.nextEpoch, p: stepper.play,
    home: stepper.reset, end: stepper.end,
  }[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  void act.call(stepper);
}

function undoKeys(event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) page.redo();
  else page.undo();
}

/**
 * Moves a token from the address to the local storage, because links must not contain it. All tabs of the lab share it,
 * so links opened later work without a token. Returns whether there was one.
 */
function takeToken(): boolean {
  const parts = location.hash.slice(1).split("&");
  const token = parts.find(part => part.startsWith("token="));
  if (!token) return false;
  localStorage.setItem("token", token.slice("token=".length));
  history.replaceState(null, "", `#${parts.filter(part => part !== token).join("&")}`);
  return true;
}
