// Sends a request again while the lab is busy.

/** The first pause and the longest one, in milliseconds; each is twice the last. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;
/** Milliseconds after which the page gives up. */
const PATIENCE = 90_000;
const BUSY = 503;

/** Like `fetch`, but asks again as long as the lab says that it is busy. The signal also ends the pauses. */
export async function patientFetch(path: string, init: RequestInit): Promise<Response> {
  const end = performance.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const response = await fetch(path, init);
    if (response.status !== BUSY || performance.now() > end) return response;
    const asked = 1000 * (Number(response.headers.get("Retry-After")) || 0);
    // Pages that were refused together must not come back together.
    await rest(asked + Math.random() * pause, init.signal);
  }
}

function rest(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(new DOMException("The request was aborted.", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
