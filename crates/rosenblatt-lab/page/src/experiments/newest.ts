// Live questions: the newest wins, and a hand that is still moving is waited for.

export class Newest {
  private current: AbortController | undefined;

  /** The answer, or `undefined` if a newer question came in between. */
  async ask<A>(question: (signal: AbortSignal) => Promise<A>, wait = 0): Promise<A | undefined> {
    this.stop();
    const own = new AbortController();
    this.current = own;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (own.signal.aborted) return undefined;
    try {
      const answer = await question(own.signal);
      return own.signal.aborted ? undefined : answer;
    } catch (error) {
      if (own.signal.aborted) return undefined;
      throw error;
    }
  }

  stop(): void {
    this.current?.abort();
    this.current = undefined;
  }
}

/** Why a question was refused, as one sentence. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = "hint" in error && typeof error.hint === "string" ? ` (${error.hint})` : "";
  return error.message + hint;
}
