// One question at a time: while one is under way, only the newest waits.

export class Turns<Question> {
  private waiting: { question: Question } | undefined;
  private busy = false;

  /** `answer` asks a question and deals with what comes back, also with a refusal. */
  constructor(private readonly answer: (question: Question) => Promise<void>) {}

  ask(question: Question): void {
    this.waiting = { question };
    if (!this.busy) void this.work();
  }

  /** What waits is of no use any more. */
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
