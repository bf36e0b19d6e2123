// Turns scenes by the wheel and by swipes.

const LEAST = 50; // pixels
const PAUSE = 700; // milliseconds in which one movement of the wheel ends

/** Whether an element around the target still scrolls in this direction. */
function scrolls(target: EventTarget | null, by: number): boolean {
  for (let element = target as HTMLElement | null; element?.parentElement; element = element.parentElement) {
    const { scrollTop, scrollHeight, clientHeight } = element;
    if (!/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
    if (by > 0 ? scrollTop + clientHeight < scrollHeight - 1 : scrollTop > 1) return true;
  }
  return false;
}

export class Turning {
  private moved = 0;
  private lastWheel = 0;
  private turnedAt = 0;
  private from: Touch | undefined;

  /** `turn` gets 1 or −1; swipes count on the `texts`, because the plane has its own. */
  constructor(
    texts: readonly HTMLElement[], private readonly turn: (by: number) => void, private readonly isOn: () => boolean,
  ) {
    // A page around a frame scrolls past it.
    if (window.parent === window) document.addEventListener("wheel", event => this.wheel(event), { passive: true });
    for (const text of texts) {
      const touched = ({ touches }: TouchEvent): void => { this.from = touches.length === 1 ? touches[0] : undefined; };
      text.addEventListener("touchstart", touched, { passive: true });
      text.addEventListener("touchend", event => this.lifted(event));
    }
  }

  private wheel(event: WheelEvent): void {
    const { deltaY, timeStamp, target } = event;
    if (!this.isOn() || event.ctrlKey || scrolls(target, deltaY)) return;
    if (timeStamp - this.lastWheel > PAUSE || Math.sign(deltaY) !== Math.sign(this.moved)) this.moved = 0;
    this.lastWheel = timeStamp;
    this.moved += deltaY;
    if (Math.abs(this.moved) < LEAST || timeStamp - this.turnedAt < PAUSE) return;
    this.turnedAt = timeStamp;
    this.moved = 0;
    this.turn(Math.sign(deltaY));
  }

  private lifted({ changedTouches: [to], target }: TouchEvent): void {
    const { from } = this;
    this.from = undefined;
    if (!from || !to) return;
    const [dx, dy] = [from.clientX - to.clientX, from.clientY - to.clientY];
    if (Math.abs(dx) > Math.max(LEAST, Math.abs(dy))) this.turn(Math.sign(dx));
    else if (Math.abs(dy) > Math.max(LEAST, Math.abs(dx)) && !scrolls(target, dy)) this.turn(Math.sign(dy));
  }
}
