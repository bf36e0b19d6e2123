// The engine inside the page: a WebAssembly module in a Web Worker, in place of the server.

/** The time limit of an answer in milliseconds, as that of the server. */
export const ANSWER_TIME = 5000;
/** The answer to a question that was aborted has this long to come before the worker is ended. */
const PATIENCE = 150;

/** Where the module is. */
export type ModuleSource = { address: string } | { bytes: Uint8Array<ArrayBuffer> };

/** The module of this page; a page without one has a server. */
export function moduleSource(): ModuleSource | undefined {
  const element = document.getElementById("engine");
  if (!element) return undefined;
  const { address } = element.dataset;
  if (address !== undefined) return { address };
  const text = atob(element.textContent ?? "");
  return { bytes: Uint8Array.from(text, character => character.charCodeAt(0)) };
}

interface Job {
  question: string;
  answered: (response: Response) => void;
  failed: (error: unknown) => void;
  signal: AbortSignal | undefined;
}

/** Answers one question after the other, in their order. */
export class Engine {
  private readonly module: Promise<WebAssembly.Module>;
  private worker: Worker | undefined;
  private current: Job | undefined;
  private readonly waiting: Job[] = [];
  private timer = 0;

  constructor(source: ModuleSource, private readonly time = ANSWER_TIME) {
    this.module = compiled(source);
    // A failure is reported with the first question.
    this.module.catch(() => {});
  }

  /** Sends a question and returns the answer as the server would: with a status and JSON. */
  ask(question: string, signal?: AbortSignal): Promise<Response> {
    return new Promise((answered, failed) => {
      if (signal?.aborted) return failed(aborted());
      const job: Job = { question, answered, failed, signal };
      signal?.addEventListener("abort", () => this.abort(job), { once: true });
      this.waiting.push(job);
      void this.next();
    });
  }

  private async next(): Promise<void> {
    if (this.current) return;
    const job = this.current = this.waiting.shift();
    if (!job) return;
    try {
      this.worker ??= this.start(await this.module);
      // The job may have been dropped while the module was compiled.
      if (this.current !== job) return;
      this.timer = window.setTimeout(() => this.end(refused(TOO_LONG)), this.time);
      this.worker.postMessage(job.question);
    } catch (error) {
      this.fail(error);
    }
  }

  private start(module: WebAssembly.Module): Worker {
    const address = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.finish(response(data.status, data.bytes));
    worker.onerror = event => {
      event.preventDefault();
      this.end(refused(BROKEN));
    };
    worker.postMessage(module);
    return worker;
  }

  /** Ends the work on the current question with this answer; the next question begins with a new worker. */
  private end(answer: Response): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.finish(answer);
  }

  private finish(answer: Response): void {
    const job = this.take();
    job?.answered(answer);
    void this.next();
  }

  private fail(error: unknown): void {
    this.take()?.failed(error);
    void this.next();
  }

  private take(): Job | undefined {
    clearTimeout(this.timer);
    const job = this.current;
    this.current = undefined;
    return job;
  }

  private abort(job: Job): void {
    job.failed(aborted());
    const place = this.waiting.indexOf(job);
    if (place >= 0) this.waiting.splice(place, 1);
    if (this.current !== job) return;
    // Most answers come at once; a new worker would take longer.
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end(refused(TOO_LONG)), PATIENCE);
  }
}

const TOO_LONG = {
  message: "this takes too long for a page",
  hint: "use fewer points, epochs or runs, or the command `rosenblatt`, which has no time limit",
};
const BROKEN = {
  message: "the lab could not answer this; this is a bug in the lab",
  hint: "change the points or the options, or reload the page",
};

const aborted = (): DOMException => new DOMException("the question is no longer asked", "AbortError");
const refused = (error: { message: string; hint: string }): Response => response(422, JSON.stringify({ error }));
const response = (status: number, body: BodyInit): Response => new Response(body, { status });

async function compiled(source: ModuleSource): Promise<WebAssembly.Module> {
  if ("address" in source) {
    const found = await fetch(source.address);
    if (!found.ok) throw new Error(`${source.address}: status ${found.status}`);
    return WebAssembly.compile(await found.arrayBuffer());
  }
  // Inside a page the module is compressed.
  const whole = new Blob([source.bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(whole).arrayBuffer());
}

interface Answer {
  status: number;
  bytes: ArrayBuffer;
}

/** The worker: its text becomes a script of its own, so that it uses nothing outside of itself. */
function work(): void {
  interface Exports {
    memory: WebAssembly.Memory;
    question(length: number): number;
    answer(): number;
    answer_place(): number;
    answer_length(): number;
  }
  let engine: Exports;
  const post = postMessage as (message: Answer, moved: Transferable[]) => void;
  onmessage = ({ data }: MessageEvent<WebAssembly.Module | string>) => {
    if (typeof data !== "string") {
      engine = new WebAssembly.Instance(data).exports as unknown as Exports;
      return;
    }
    const question = new TextEncoder().encode(data);
    const place = engine.question(question.length);
    // The memory may have grown, and then has another buffer.
    new Uint8Array(engine.memory.buffer, place, question.length).set(question);
    const status = engine.answer();
    const from = engine.answer_place();
    const bytes = engine.memory.buffer.slice(from, from + engine.answer_length()) as ArrayBuffer;
    post({ status, bytes }, [bytes]);
  };
}
