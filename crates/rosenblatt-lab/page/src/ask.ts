// Sends questions to the lab's server, or to the engine inside the page, and returns the answers. No other file knows to which.

import type {
  ErrorsAnswer, ErrorsQuestion, FileAnswer, FilePoints, FileQuestion, FileTable, InseparableAnswer, InseparableQuestion, PatternAnswer, PatternQuestion,
  Refusal, SeparableAnswer, SeparableQuestion,
  StudyAnswer, StudyQuestion, TraceAnswer, TraceQuestion, TrainAnswer, TrainQuestion,
} from "./contract.js";
import { Engine, moduleSource } from "./engine.js";
import { patientFetch } from "./patient-fetch.js";

const source = moduleSource();
/** The engine inside the page; without it there is a server. */
const engine = source && new Engine(source);
/** The file inside the page, once it is read. */
let table: FileTable | undefined;

const TOKEN = "token";
const UNAUTHORIZED = 401;
const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/** The engine rejected a question, or the lab did not answer. */
export class RequestError extends Error {
  constructor(message: string, readonly hint?: string) {
    super(message);
  }
}

export const train = (question: TrainQuestion, signal?: AbortSignal): Promise<TrainAnswer> =>
  ask({ train: withStart(question) }, signal);
/** Writes a run as a table. */
export const trace = (question: TraceQuestion, signal?: AbortSignal): Promise<TraceAnswer> =>
  ask({ trace: withStart(question) }, signal);
export const errors = (question: ErrorsQuestion, signal?: AbortSignal): Promise<ErrorsAnswer> =>
  ask({ errors: question }, signal);
export const separable = (question: SeparableQuestion, signal?: AbortSignal): Promise<SeparableAnswer> =>
  ask({ separable: withStart(question) }, signal);
export const inseparable = (question: InseparableQuestion, signal?: AbortSignal): Promise<InseparableAnswer> =>
  ask({ inseparable: question }, signal);
export const study = (question: StudyQuestion, signal?: AbortSignal): Promise<StudyAnswer> =>
  ask({ study: withStart(question) }, signal);
export const patterns = (question: PatternQuestion, signal?: AbortSignal): Promise<PatternAnswer> =>
  ask({ patterns: question }, signal);
/** Reads a file that the user dropped on the page. */
export const readFile = (question: FileQuestion, signal?: AbortSignal): Promise<FileTable> =>
  ask({ file: question }, signal);

/** How the lab answers to a token. */
export type TokenVerdict = "accepted" | "refused" | "not asked";

/** Keeps a token if the lab accepts it. Until then the one of before stays, which all tabs of the lab share. */
export async function offerToken(token: string): Promise<TokenVerdict> {
  if (engine) return "not asked";
  const response = await fetch("/file", { headers: bearer(token) }).catch(() => undefined);
  if (!response) return "not asked";
  if (response.status === UNAUTHORIZED) return "refused";
  localStorage.setItem(TOKEN, token);
  return "accepted";
}

/** The file with which the lab was started, or the one inside the page, if any. */
export async function file(): Promise<FileAnswer | undefined> {
  if (engine) {
    const inside = document.getElementById("file")?.textContent;
    if (inside) table = await readFile(JSON.parse(inside) as FileQuestion);
    return table;
  }
  const response = await request("/file", {});
  return response.status === 204 ? undefined : read(response);
}

export async function filePoints(x: number, y: number, positive: string): Promise<FilePoints> {
  if (table) return columnPoints(table, x, y, positive);
  const query = new URLSearchParams({ x: String(x), y: String(y), positive });
  return read(await request(`/file/points?${query}`, {}));
}

/** Two columns of a table as points, with the sign +1 for the class `positive`. */
export function columnPoints({ columns, classes, numbers }: FileTable, x: number, y: number, positive: string): FilePoints {
  const number = classes.indexOf(positive);
  return {
    rows: numbers.map((_, row) => [columns[x]?.[row] ?? 0, columns[y]?.[row] ?? 0]),
    signs: numbers.map(of => (of === number ? 1 : -1)),
  };
}

/** A question has the initial weights beside the options. */
function withStart(question: TrainQuestion | TraceQuestion | SeparableQuestion | StudyQuestion): object {
  if (!question.options?.start) return question;
  const { start, ...options } = question.options;
  return { ...question, options, start };
}

async function ask<A>(question: object, signal?: AbortSignal): Promise<A> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(question);
  if (engine) return read(await engine.ask(body, signal));
  return read(await request("/ask", { method: "POST", headers, body, signal: signal ?? null }));
}

/** Sends the token with the request. */
async function request(path: string, init: RequestInit): Promise<Response> {
  const token = localStorage.getItem(TOKEN);
  const headers = { ...init.headers, ...(token ? bearer(token) : {}) };
  try {
    return await patientFetch(path, { ...init, headers });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new RequestError("the lab does not answer", "is `rosenblatt lab` still running?");
  }
}

async function read<A>(response: Response): Promise<A> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body as A;
  const { error } = (body ?? { error: { message: `the lab answered with status ${response.status}` } }) as Refusal;
  throw new RequestError(error.message, error.hint);
}
