// Turns scenes by the wheel and by swipes.

const LEAST = 50; // pixels
const PAUSE = 200; // milliseconds without the wheel end a movement of it

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
  /** Whether this movement of the wheel has turned a scene or scrolled: what a trackpad adds to it turns none. */
  private spent = false;
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
    if (!this.isOn() || event.ctrlKey) return;
    if (timeStamp - this.lastWheel > PAUSE) {
      this.moved = 0;
      this.spent = false;
    }
    this.lastWheel = timeStamp;
    this.moved += deltaY;
    this.spent ||= scrolls(target, deltaY);
    if (this.spent || Math.abs(this.moved) < LEAST) return;
    this.spent = true;
    this.turn(Math.sign(this.moved));
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
