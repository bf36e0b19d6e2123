// Requests of which only the newest gets its answer.

export class LatestRequest {
  private current: AbortController | undefined;

  /** Sends a question after `wait` milliseconds; `undefined` if a newer question replaced it. */
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
