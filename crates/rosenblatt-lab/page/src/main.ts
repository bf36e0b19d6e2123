// Builds the page and shows the state in its link.

import "./lab.css";
import { file } from "./ask.js";
import { button, el, handlesKeys } from "./dom.js";
import { experimentPanels } from "./experiments/index.js";
import type { Panel } from "./lab.js";
import { readLink, writeLink } from "./link.js";
import { Page } from "./page.js";
import { patternWorkspace } from "./patterns/index.js";
import { type Tab, Tabs } from "./tabs.js";
import { themeButtons } from "./theme.js";
import { Notices } from "./notices.js";

const ADDRESS_PAUSE = 150; // milliseconds without a change before the address is written

takeToken();
const notices = new Notices();
const canvas = el("canvas", {
  class: "plane", tabindex: 0, role: "application", "data-test": "plane", "aria-label": "Plane with the points",
  "aria-describedby": "plane-help",
});
let timer = 0;
const page = new Page(canvas, notices, () => {
  clearTimeout(timer);
  // Set while the address does not yet show the page's state.
  document.documentElement.dataset.linkPending = "";
  timer = window.setTimeout(updateAddress, ADDRESS_PAUSE);
});
let restored = false;

const stepsTab: Tab = { id: "steps", title: "Steps", mount: root => root.append(page.steps.root) };
const panelTabs = new Tabs("Panels", [stepsTab, ...experimentPanels.map(tabOf)], tabChanged);
const planeWorkspace = el("div", { class: "workspace" }, left(), right());
const planeTab: Tab = { id: "plane", title: "The plane", mount: root => root.append(planeWorkspace) };
const workspaces = new Tabs("Workspaces", [planeTab, tabOf(patternWorkspace)], tabChanged);
document.body.append(
  el("header", {}, el("h1", {}, "Rosenblatt", el("span", {}, " · the lab")), workspaces.list,
    el("div", { class: "actions" }, copyButton(), ...themeButtons(() => page.plane.redraw()))),
  el("main", {}, notices.root, ...workspaces.panels), notices.spoken);
document.addEventListener("keydown", shortcut);
// Releasing a slider ends its gesture: the next movement is a separate undo step.
document.addEventListener("change", () => page.store.endGesture());
// The timer above may have changed the address since; the event holds the requested link.
addEventListener("hashchange", event => {
  // The address contained a token: reload, so that all requests carry it.
  if (takeToken()) location.reload();
  else void openLink(new URL(event.newURL).hash);
});
void start();

async function start(): Promise<void> {
  page.file = await file().catch((error: unknown) => void notices.showError(error));
  page.picker.offerSets();
  await openLink(location.hash);
}

/** Shows the state in a link; reports and skips the parts that cannot be read. */
async function openLink(hash: string): Promise<void> {
  const faults: string[] = [];
  const bare = hash.length < 2;
  const link = readLink(bare && page.file ? "set=file" : hash, faults);
  const isPatternLink = link.tab === patternWorkspace.id;
  try {
    await page.restore(link);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
    await page.restore(readLink("", []));
  }
  workspaces.open(isPatternLink ? patternWorkspace.id : "plane");
  panelTabs.open("steps");
  if (link.tab && !isPatternLink) panelTabs.open(link.tab);
  restored = true;
  document.documentElement.dataset.ready = "true";
  if (faults.length > 0) notices.note(`This link could not be read in full: ${faults.slice(0, 3).join("; ")}.`);
}

/** Writes the page's state to the address, unless the first link is still loading. */
function updateAddress(): void {
  if (restored) history.replaceState(null, "", address());
  delete document.documentElement.dataset.linkPending;
}

function address(): string {
  const tab = workspaces.current === patternWorkspace.id ? patternWorkspace.id : panelTabs.current;
  return writeLink({ ...page.link(), ...(tab && tab !== "steps" && { tab }) });
}

function tabChanged(): void {
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
    el("p", { class: "visually-hidden", id: "plane-help" }, "Arrow keys move a cursor; with Shift the steps are larger. Enter adds a point, "
      + "or picks up and puts down the point under the cursor. L changes its label, Delete removes it, plus and minus choose the class."),
    el("div", { class: "figure" }, canvas, page.invitation), el("div", { class: "below" }, page.legend.root, page.toolbar.zoom), page.table.root);
}

function right(): HTMLElement {
  return el("section", { class: "right", "aria-label": "The run" }, page.optionsForm.root, panelTabs.list, ...panelTabs.panels);
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
    notices.announce(text);
    window.setTimeout(() => { control.textContent = "Copy link"; }, 1800);
  };
  return control;
}

/** Handles the keys that work outside of text fields. */
function shortcut(event: KeyboardEvent): void {
  if (handlesKeys(event.target)) return;
  if (event.ctrlKey || event.metaKey) return undoKeys(event);
  if (event.altKey || workspaces.current !== "plane") return;
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
