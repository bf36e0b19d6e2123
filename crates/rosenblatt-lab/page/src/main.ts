// The page begins: it is put together, and shows what its link says.

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

const PAUSE = 150; // milliseconds of rest before the address is written

takeToken();
const voice = new Voice();
const canvas = el("canvas", {
  class: "plane", tabindex: 0, role: "application", "data-test": "plane", "aria-label": "The plane of the points",
  "aria-describedby": "plane-help",
});
let timer = 0;
const page = new Page(canvas, voice, () => {
  clearTimeout(timer);
  // While it is set, the address is behind the page.
  document.documentElement.dataset.behind = "";
  timer = window.setTimeout(follow, PAUSE);
});
let restored = false;

const stepsTab: Tab = { id: "steps", title: "Steps", mount: root => root.append(page.steps.root) };
const panelTabs = new Tabs("What to look at", [stepsTab, ...experimentPanels.map(tabOf)], moved);
const planeRoom = el("div", { class: "room" }, left(), right());
const rooms = new Tabs("Rooms", [{ id: "plane", title: "The plane", mount: root => root.append(planeRoom) }, tabOf(patternRoom)], moved);
document.body.append(
  el("header", {}, el("h1", {}, "Rosenblatt", el("span", {}, " · the lab")), rooms.list,
    el("div", { class: "actions" }, copyButton(), ...themeButtons(() => page.plane.redraw()))),
  el("main", {}, voice.root, ...rooms.panels), voice.spoken);
document.addEventListener("keydown", shortcut);
// A slider that is let go: the next turn of it is a change of its own.
document.addEventListener("change", () => page.store.settle());
// The address may have changed once more by now, by the timer above: the event knows what was asked for.
addEventListener("hashchange", event => {
  // The whole address of the lab, written over another link: all is asked for anew with its token.
  if (takeToken()) location.reload();
  else void open(new URL(event.newURL).hash);
});
void begin();

async function begin(): Promise<void> {
  page.file = await file().catch((error: unknown) => void voice.refused(error));
  page.picker.offer();
  await open(location.hash);
}

/** Shows what the link says; what it says wrongly is told and left out. */
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

/** The address follows the page, once there is a page to follow. */
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
    el("p", { class: "unseen", id: "plane-help" }, "Arrow keys move a cursor, with Shift in bigger steps. Enter adds a point, or "
      + "picks up and puts down the point under the cursor. L changes its label, Delete removes it, plus and minus choose the class."),
    el("div", { class: "figure" }, canvas, page.invitation), el("div", { class: "below" }, page.legend.root, page.toolbar.zoom), page.table.root);
}

function right(): HTMLElement {
  return el("section", { class: "right", "aria-label": "The run" }, page.options.root, panelTabs.list, ...panelTabs.panels);
}

function copyButton(): HTMLButtonElement {
  const control = button("Copy link", () => {
    history.replaceState(null, "", address());
    // Browsers have no clipboard for pages that came unencrypted from another machine.
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

/** Keys that work wherever no text is being typed. */
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
 * A token that came behind the # of the address is kept and no longer shown: links hold none. It is kept for all tabs of
 * the lab's address, so that links opened later, as those of the lectures, find it. Whether there was one.
 */
function takeToken(): boolean {
  const parts = location.hash.slice(1).split("&");
  const token = parts.find(part => part.startsWith("token="));
  if (!token) return false;
  localStorage.setItem("token", token.slice("token=".length));
  history.replaceState(null, "", `#${parts.filter(part => part !== token).join("&")}`);
  return true;
}
