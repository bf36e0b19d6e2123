// Builds the page and shows the state in its link.

import "./lab.css";
import { arrived, hasAddress, showState, startState } from "./address.js";
import { file, offerToken } from "./ask.js";
import { button, el, handlesKeys } from "./dom.js";
import { experimentPanels } from "./experiments/index.js";
import type { Panel } from "./lab.js";
import { readLink, writeLink } from "./link.js";
import { Page } from "./page.js";
import { patternWorkspace } from "./patterns/index.js";
import { type Tab, Tabs } from "./tabs.js";
import { themeButtons } from "./theme.js";
import { Notices } from "./notices.js";
import { Drawer } from "./drawer.js";
import { exportSection } from "./export.js";
import { HiddenParts } from "./present.js";
import { stage } from "./stage.js";
import { Story } from "./story/story.js";

const ADDRESS_PAUSE = 150; // milliseconds without a change before the address is written
const ARRIVAL = "#set=margin"; // the state of an address without one
const SHOWCASE = 3000; // milliseconds
const OTHER_TOKEN = "The token in this address is not that of the running lab, so it was not taken. "
  + "The whole address that `rosenblatt lab` printed has the right one.";

document.querySelector(".opening")?.remove();
const { token: offered } = takeToken(location.hash);
const notices = new Notices();
const canvas = el("canvas", {
  class: "plane", tabindex: 0, role: "application", "data-test": "plane", "aria-label": "Plane with the points",
  "aria-describedby": "plane-help",
});
let timer = 0;
const page: Page = new Page(canvas, notices, () => {
  clearTimeout(timer);
  // Set while the address does not yet show the page's state.
  document.documentElement.dataset.linkPending = "";
  timer = window.setTimeout(updateAddress, ADDRESS_PAUSE);
}, () => {
  openTab("separable");
  tabChanged();
});
let restored = false;

const hidden = new HiddenParts(() => {
  drawer.close();
  history.replaceState(null, "", address());
});
const story: Story = new Story(page, state => void openState(state, []), freeAddress);
/** Offers the story to a visitor without a link. */
const invite = el("a", { class: "invite", href: "#story=1", "data-test": "invite", hidden: true },
  "New here? The perceptron in eight scenes →");
page.onChange(() => { invite.hidden = true; });
const stepsTab: Tab = { id: "steps", title: "Steps", mount: root => root.append(page.steps.root) };
const patternsTab = tabOf(patternWorkspace);
const tabs = new Tabs("Panels", [stepsTab, ...experimentPanels.map(tabOf), patternsTab], tabChanged);
const patternsPanel = tabs.panels.at(-1) as HTMLElement;
const side = el("section", { class: "side", "aria-label": "The run", tabindex: 0 }, ...tabs.panels.filter(panel => panel !== patternsPanel));
const drawer = new Drawer([
  el("section", {}, el("h2", {}, "Points"), page.picker.root, page.fileDrop.root, page.table.root, page.toolbar.clear),
  el("section", {}, el("h2", {}, "Run"), page.optionsForm.root),
  el("section", {}, el("h2", {}, "On the plane"), page.legend.others, el("div", { class: "switches" }, page.axesSwitch, page.toolbar.scale)),
  el("section", {}, el("h2", {}, "Page"),
    el("p", {}, el("a", { href: "#story=1", "data-test": "story-link" }, "The perceptron in eight scenes")),
    el("div", { class: "switches" }, ...themeButtons(() => page.plane.redraw()), hidden.present, copyButton("copy-link-too"))),
  exportSection(page, page.plane),
]);
page.fileDrop.onRefused = () => drawer.open();
const planeWorkspace = el("div", { class: "workspace" },
  page.thumbnails.root, story.root, stage(page, hidden.back, invite), side, story.foot);
document.body.append(
  el("header", {}, el("h1", {}, "Rosenblatt", el("span", {}, " · the lab")), tabs.list, tabs.menu,
    el("div", { class: "actions" }, button("Details", () => side.scrollIntoView(), { class: "quiet to-panel", "data-test": "to-panel" }),
      drawer.toggle, copyButton("copy-link"))),
  el("main", {}, planeWorkspace, patternsPanel, drawer.root), page.deck.root, notices.root, notices.spoken);
document.addEventListener("keydown", shortcut);
// Releasing a slider ends its gesture: the next movement is a separate undo step.
document.addEventListener("change", () => page.store.endGesture());
// The timer above may have changed the address since; the event holds the requested link.
addEventListener("hashchange", event => void arrive(new URL(event.newURL).hash));
void start();

/** Opens a link. Its token, if the lab accepts it, is for all requests: the page loads again. */
async function arrive(hash: string): Promise<void> {
  const { token, link } = takeToken(hash);
  if (token === undefined) return openLink(link);
  if (await offerToken(token) !== "accepted") {
    await openLink(link);
    return notices.note(OTHER_TOKEN);
  }
  // While the lab answered, the timer above may have put the page's old state in the place of the link.
  clearTimeout(timer);
  showState(link);
  location.reload();
}

async function start(): Promise<void> {
  const verdict = offered === undefined ? "not asked" : await offerToken(offered);
  let failure: unknown;
  page.file = await file().catch((error: unknown) => void (failure = error));
  page.picker.offerSets();
  page.thumbnails.offer(page.file);
  const state = startState();
  const bare = state.length < 2 && !page.file;
  await openLink(bare ? ARRIVAL : state);
  if (verdict === "refused") notices.note(OTHER_TOKEN);
  if (failure !== undefined) notices.showError(failure);
  if (bare) showcase();
  invite.hidden = !bare;
}

/** Plays the run for a moment on arrival, unless the user wants no motion or begins to work. */
function showcase(): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  page.playWhenReady();
  const end = window.setTimeout(() => page.stepper.pause(), SHOWCASE);
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => clearTimeout(end), { once: true });
}

function openTab(id: string): void {
  tabs.open(id);
  const patterns = tabs.current === patternWorkspace.id;
  planeWorkspace.hidden = page.deck.root.hidden = drawer.toggle.hidden = patterns;
  if (patterns) drawer.close();
}

/** Shows the state in a link; reports and skips the parts that cannot be read. */
async function openLink(hash: string): Promise<void> {
  arrived();
  const faults: string[] = [];
  const state = story.read(hash, faults);
  await openState(state ?? ARRIVAL, faults);
}

/** Shows a state of the lab, or reports what cannot be read. */
async function openState(state: string, faults: string[]): Promise<void> {
  // The page's old state must not take the place of the link.
  clearTimeout(timer);
  const link = readLink(withSet(state), faults);
  try {
    await page.restore(link);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
    await page.restore(readLink("", []));
  }
  faults.push(...hidden.read(link.hide).map(part => `the page has no part “${part.slice(0, 40)}”`));
  openTab("steps");
  if (link.tab) openTab(link.tab);
  restored = true;
  document.documentElement.dataset.ready = "true";
  if (faults.length > 0) notices.note(`This link could not be read in full: ${faults.slice(0, 3).join("; ")}.`);
}

/** A link with nothing in it opens the file, if there is one; lecture notes alone open the file or the set of an arrival. */
function withSet(hash: string): string {
  const set = page.file ? "#set=file" : "";
  if (hash.length < 2) return set;
  return /^#notes=[^&]*$/.test(hash) ? `${set || ARRIVAL}&${hash.slice(1)}` : hash;
}

/** Writes the page's state to the address, unless the first link is still loading. */
function updateAddress(): void {
  if (restored) showState(address());
  delete document.documentElement.dataset.linkPending;
}

function address(): string {
  return story.link ?? freeAddress();
}

/** The link of the state without a scene. */
function freeAddress(): string {
  const tab = tabs.current;
  return writeLink({ ...page.link(), hide: hidden.link, ...(tab && tab !== "steps" && { tab }) });
}

function tabChanged(): void {
  openTab(tabs.current ?? "steps");
  showState(address());
}

function tabOf(panel: Panel): Tab {
  return {
    id: panel.id, title: panel.title, mount: root => panel.mount(root, page),
    show: () => panel.show?.(), hide: () => panel.hide?.(),
  };
}

function copyButton(test: string): HTMLButtonElement {
  const control = button("Copy link", () => {
    showState(address());
    // Browsers offer the clipboard only on secure origins.
    const copied = (navigator.clipboard as Clipboard | undefined)?.writeText(location.href) ?? Promise.reject(new Error());
    void copied.then(() => flash("Copied"), () => flash("Copy it from the address bar"));
  }, { "data-test": test, class: "quiet", title: "Copy a link to this state" });
  control.hidden = !hasAddress();
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
  if (story.link) return story.key(event);
  if (event.ctrlKey || event.metaKey) return undoKeys(event);
  if (event.altKey || tabs.current === patternWorkspace.id) return;
  const { stepper } = page;
  const isSlider = event.target instanceof HTMLInputElement && event.target.type === "range";
  if (isSlider && /^(Home|End)$/.test(event.key)) return;
  // Buttons, tabs and sliders use these keys themselves.
  const free = event.target === document.body || event.target === null;
  const act = (free ? { " ": stepper.play, arrowright: stepper.next, arrowleft: stepper.previous }[event.key.toLowerCase()] : undefined) ?? {
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
  // The points of the plane are hidden beside the patterns.
  if (tabs.current === patternWorkspace.id) return;
  if (key === "y" || event.shiftKey) page.redo();
  else page.undo();
}

/** Takes a token out of the state in the address, because links must not contain it. */
function takeToken(hash: string): { token?: string; link: string } {
  const parts = hash.slice(1).split("&");
  const token = parts.find(part => part.startsWith("token="));
  if (token === undefined) return { link: hash };
  const link = `#${parts.filter(part => part !== token).join("&")}`;
  showState(link);
  return { token: token.slice("token=".length), link };
}
