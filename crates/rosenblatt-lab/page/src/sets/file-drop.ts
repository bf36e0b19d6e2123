// A file that the user drops on the page, pastes or chooses. The engine reads it, by the readers of the command.

import { readFile } from "../ask.js";
import { type FileEncoding, type FileQuestion, type FileText, LIMITS } from "../contract.js";
import { checkbox, el, field, select } from "../dom.js";
import { LatestRequest } from "../latest-request.js";
import type { DroppedFile, Source } from "./source.js";

const ENCODINGS: [FileEncoding, string][] = [["utf-8", "UTF-8"], ["latin1", "Latin-1"], ["utf-16", "UTF-16"]];

export interface FileDropListener {
  /** A file was read: its best pair of columns. */
  chosen(source: Source): void;
  showError(error: unknown): void;
  announce(text: string): void;
}

export class FileDrop {
  /** The controls in the drawer. */
  readonly root = el("div", { class: "file-drop" });
  /** Called when a file could not be read, to show the controls that say how. */
  onRefused: () => void = () => {};
  private question: FileQuestion | undefined;
  private readonly requests = new LatestRequest();
  private readonly details = el("div", { class: "set-details", hidden: true });
  private readonly header: HTMLLabelElement;

  constructor(private readonly listener: FileDropListener) {
    const input = el("input", {
      type: "file", class: "visually-hidden", "data-test": "file-input", "aria-label": "A file of your own",
      change: () => { const [file] = input.files ?? []; if (file) void this.open(file); input.value = ""; },
    });
    this.header = checkbox("The first line has the names", "file-header", true, on => this.ask({ header: on }));
    this.root.append(el("label", { class: "file-choice" }, el("span", {}, "Open a file …"), input),
      el("p", { class: "note" }, "CSV, TSV, LIBSVM or JSON, as it is or compressed by gzip. Dropping it anywhere or pasting its text works too."), this.details);
    document.addEventListener("dragover", event => this.over(event));
    document.addEventListener("dragleave", event => { if (!event.relatedTarget) mark(false); });
    document.addEventListener("drop", event => this.drop(event));
    document.addEventListener("paste", event => this.paste(event));
  }

  /** Reads the file again with another class as +1, which may have other best columns. */
  withPositive(file: DroppedFile, positive: string): void {
    this.question = file.question;
    this.ask({ positive });
  }

  private async open(file: File): Promise<void> {
    try {
      const { name, bytes } = await contentOfFile(file);
      this.read({ name, text: contentOf(bytes) });
    } catch (error) {
      this.listener.showError(error);
    }
  }

  private over(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    // Otherwise the browser would open the file instead of the page.
    event.preventDefault();
    mark(true);
  }

  private drop(event: DragEvent): void {
    const file = event.dataTransfer?.files[0];
    mark(false);
    if (!file) return;
    event.preventDefault();
    void this.open(file);
  }

  private paste(event: ClipboardEvent): void {
    if (event.target instanceof HTMLInputElement && event.target.type !== "file") return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file) void this.open(file);
    else if (text.trim().includes("\n")) this.read({ name: "pasted text", text });
    else return;
    event.preventDefault();
  }

  private read(question: FileQuestion): void {
    this.question = question;
    this.ask({});
  }

  /** Asks for the table of the file; `change` stays for the next time. */
  private ask(change: Partial<FileQuestion>): void {
    if (!this.question) return;
    const question = { ...this.question, ...change };
    this.question = question;
    void this.requests.ask(signal => readFile(question, signal)).then(table => {
      if (!table) return;
      const [pair] = table.pairs;
      const name = (column: number | undefined): string => table.features[column ?? 0] ?? "";
      const file: DroppedFile = { question, table };
      this.show(file);
      this.listener.chosen({ set: "dropped", file, x: name(pair?.x), y: name(pair?.y ?? 1), positive: table.positive, classes: table.classes });
      const found = [`${table.name}: ${table.rows} rows, ${table.features.length} columns.`, `The columns ${name(pair?.x)} and ${name(pair?.y ?? 1)} are shown.`];
      this.listener.announce([...found, ...table.notes].join(" "));
    }).catch((error: unknown) => {
      this.show(undefined);
      this.onRefused();
      this.listener.showError(error);
    });
  }

  /** Offers what the file does not say: whether its first line has names, which column has the classes, and its encoding. */
  private show(file: DroppedFile | undefined): void {
    this.details.hidden = false;
    const { header = true, label = "", encoding = "utf-8" } = this.question ?? {};
    const box = this.header.querySelector("input");
    if (box) box.checked = header;
    const { features = [], notes = [], label: found } = file?.table ?? {};
    const columns = [label, ...features].filter(Boolean).sort();
    const chosen = label === "" && found !== undefined ? found : "found by the engine";
    const labels = select([["", chosen], ...columns.map((name): [string, string] => [name, name])], label,
      name => this.again(name), "file-label");
    const encodings = select(ENCODINGS, encoding, word => this.ask({ encoding: word as FileEncoding }), "file-encoding");
    const told = notes.map(note => el("p", { class: "note" }, note));
    this.details.replaceChildren(this.header, field("Column of the classes", labels), field("Encoding", encodings), ...told);
  }

  private again(label: string): void {
    if (!this.question) return;
    // Another column has other classes.
    const { label: _, positive: __, ...others } = this.question;
    this.question = others;
    this.ask(label ? { label } : {});
  }
}

/** The name and the bytes of a file; of one that gzip compressed, those of its content. */
async function contentOfFile(file: File): Promise<{ name: string; bytes: Uint8Array }> {
  const isCompressed = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isCompressed(new Uint8Array(await file.slice(0, 2).arrayBuffer()))) return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // The engine refuses what is longer, and says so.
  for (let length = 0; length <= LIMITS.file_bytes;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(new Uint8Array(value));
    length += value.length;
  }
  await reader.cancel();
  return { name: file.name.replace(/\.gz$/i, ""), bytes: new Uint8Array(await new Blob(parts).arrayBuffer()) };
}

/** The bytes as a text if their UTF-8 is these bytes again, otherwise as they are: the reader of the engine must see what is there. */
function contentOf(bytes: Uint8Array): FileText {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const binary = Array.from(bytes, byte => String.fromCharCode(byte)).join("");
    return { base64: btoa(binary) };
  }
}

/** Shows that the page would take the dragged file. */
function mark(on: boolean): void {
  document.documentElement.toggleAttribute("data-dragging", on);
}
