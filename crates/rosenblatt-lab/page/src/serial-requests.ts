// Sends one request at a time; while one is pending, only the newest waits.

export class SerialRequests<Question> {
  private waiting: { question: Question } | undefined;
  private busy = false;

  /** `answer` sends a question and handles its answer or error. */
  constructor(private readonly answer: (question: Question) => Promise<void>) {}

  ask(question: Question): void {
    this.waiting = { question };
    if (!this.busy) void this.work();
  }

  /** Drops the waiting question. */
  forget(): void {
    this.waiting = undefined;
  }

  private async work(): Promise<void> {
    this.busy = true;
    for (let next = this.waiting; next; next = this.waiting) {
      this.waiting = undefined;
      await this.answer(next.question);
    }
    this.busy = false;
  }
}
