// Edits points by mouse, pen and touch.

import type { Editing } from "./editing.js";
import type { Grip } from "../lab.js";
import { nearest } from "./plane.js";

const CLICK_DISTANCE = 5; // pixels that a press may move and still be a click
const LONG_PRESS = 550; // milliseconds until a press is a long press
const WHEEL_PAUSE = 250; // milliseconds; wheel events without such a pause are one change

interface Press {
  pointerId: number;
  left: number;
  top: number;
  grabbed: number | undefined;
  /** What is dragged in place of a point. */
  grip: Grip | undefined;
  moving: boolean;
  /** Whether a long press has changed the label. */
  done: boolean;
  gesture: string;
}

export class Pointer {
  private press: Press | undefined;
  private timer = 0;
  private lastWheel = 0;
  private gestures = 0;

  constructor(private readonly editing: Editing) {
    const { canvas } = editing.plane;
    canvas.addEventListener("pointerdown", event => this.down(event));
    canvas.addEventListener("pointermove", event => this.move(event));
    canvas.addEventListener("pointerup", event => this.up(event));
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("pointerleave", () => this.hover(undefined));
    canvas.addEventListener("contextmenu", event => event.preventDefault());
    canvas.addEventListener("wheel", event => this.wheel(event), { passive: false });
  }

  private position(event: MouseEvent): [number, number] {
    const box = this.editing.plane.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private pointAt(left: number, top: number, touch = false): number | undefined {
    const { plane, points } = this.editing;
    return nearest(points, plane.view, left, top, plane.size + (touch ? 14 : 5));
  }

  /** What a press drags besides the points. */
  private gripAt(left: number, top: number, point: number | undefined, touch = false): Grip | undefined {
    const { grip } = this.editing.plane;
    const found = this.editing.erasing ? undefined : grip?.at(left, top, touch ? 16 : 7);
    return found === "first" || (found === "near" && point === undefined) ? grip : undefined;
  }

  private down(event: PointerEvent): void {
    const [left, top] = this.position(event);
    const touch = event.pointerType === "touch";
    const point = this.pointAt(left, top, touch);
    const grip = event.button === 0 && !event.ctrlKey ? this.gripAt(left, top, point, touch) : undefined;
    const found = grip || this.editing.pressed ? undefined : point;
    this.editing.plane.interaction.cursor = undefined;
    // On a Mac, Control with the first button is a right click.
    if (event.button === 2 || (event.button === 0 && event.ctrlKey)) {
      if (found !== undefined) this.editing.flip(found);
      return;
    }
    if (event.button !== 0 || this.press) return;
    this.editing.plane.canvas.setPointerCapture(event.pointerId);
    const gesture = `drag ${++this.gestures}`;
    this.press = { pointerId: event.pointerId, left, top, grabbed: found, grip, moving: false, done: false, gesture };
    grip?.start(left, top);
    if (this.editing.erasing) this.erase(left, top);
    else if (found !== undefined && event.pointerType !== "mouse") this.timer = window.setTimeout(() => this.longPress(), LONG_PRESS);
  }

  private move(event: PointerEvent): void {
    const [left, top] = this.position(event);
    const { press } = this;
    if (!press) return this.over(event, left, top);
    if (press.pointerId !== event.pointerId || press.done) return;
    if (Math.hypot(left - press.left, top - press.top) > CLICK_DISTANCE) press.moving = true;
    if (!press.moving) return;
    clearTimeout(this.timer);
    if (press.grip) press.grip.drag(left, top);
    else if (this.editing.erasing) this.erase(left, top);
    else if (press.grabbed !== undefined) this.drag(press, press.grabbed, left, top);
  }

  private drag(press: Press, grabbed: number, left: number, top: number): void {
    const [x, y] = this.editing.plane.view.toPlane(left, top);
    this.editing.plane.interaction.hover = grabbed;
    this.editing.plane.canvas.style.cursor = this.outside(left, top) ? "no-drop" : "grabbing";
    this.editing.move(grabbed, x, y, press.gesture);
  }

  private up(event: PointerEvent): void {
    const { press } = this;
    if (!press || press.pointerId !== event.pointerId) return;
    const [left, top] = this.position(event);
    this.cancel();
    if (press.grip || press.done) return;
    if (this.editing.pressed) {
      if (!press.moving) this.editing.pressed(this.pointAt(left, top, event.pointerType === "touch"));
      return;
    }
    if (this.editing.erasing) return;
    if (press.moving && press.grabbed !== undefined) this.drop(press, press.grabbed, left, top);
    else if (!press.moving && press.grabbed === undefined) this.editing.add(...this.editing.plane.view.toPlane(left, top));
    else if (!press.moving && press.grabbed !== undefined) this.editing.announce(`${this.editing.describe(press.grabbed)}.`);
  }

  /** Removes a point that is dropped outside of the plane. */
  private drop(press: Press, grabbed: number, left: number, top: number): void {
    if (this.outside(left, top)) this.editing.remove(grabbed, press.gesture);
    else this.editing.announce(`${this.editing.describe(grabbed)}, moved.`);
    this.editing.store.endGesture();
  }

  private cancel(): void {
    clearTimeout(this.timer);
    this.press?.grip?.end();
    this.press = undefined;
    this.editing.plane.canvas.style.cursor = "";
  }

  private longPress(): void {
    const { press } = this;
    if (press?.grabbed === undefined || press.moving) return;
    press.done = true;
    this.editing.flip(press.grabbed);
  }

  private erase(left: number, top: number): void {
    const found = this.pointAt(left, top);
    if (found !== undefined) this.editing.remove(found, this.press?.gesture);
  }

  private outside(left: number, top: number): boolean {
    const { width, height } = this.editing.plane.view;
    return left < 0 || top < 0 || left > width || top > height;
  }

  /** The mouse without a press. */
  private over({ pointerType }: PointerEvent, left: number, top: number): void {
    const point = pointerType === "mouse" ? this.pointAt(left, top) : undefined;
    const grip = pointerType === "mouse" && this.gripAt(left, top, point);
    this.hover(grip ? undefined : point);
    if (this.editing.plane.interaction.hover === undefined) this.editing.plane.canvas.style.cursor = grip ? "move" : "";
  }

  private hover(index: number | undefined): void {
    const { plane } = this.editing;
    if (plane.interaction.hover === index) return;
    plane.interaction.hover = index;
    plane.canvas.style.cursor = index === undefined ? "" : this.editing.pressed ? "pointer" : this.editing.erasing ? "not-allowed" : "grab";
    plane.draw();
  }

  /** Changes the label of the point under the mouse; elsewhere the page scrolls. */
  private wheel(event: WheelEvent): void {
    const found = this.pointAt(...this.position(event));
    if (found === undefined || event.ctrlKey || this.editing.pressed) return;
    event.preventDefault();
    if (event.timeStamp - this.lastWheel > WHEEL_PAUSE) this.editing.flip(found);
    this.lastWheel = event.timeStamp;
  }
}
