// Finds places for texts that cover neither points nor other texts, and that no control covers.

import type { Points } from "../contract.js";
import type { Box, View } from "../lab.js";

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export class FreeSpace {
  private readonly taken: Box[];

  constructor(private readonly view: View, private readonly points: Points, private readonly markSize: number) {
    this.taken = [...view.covered];
  }

  readonly isFree = (box: Box): boolean => !this.taken.some(other => overlap(box, other)) && !this.coversPoint(box);

  /** The boxes of the texts. */
  readonly texts: Box[] = [];

  /** Keeps later texts away from a box. */
  take(box: Box | undefined): void {
    if (!box) return;
    this.taken.push(box);
    this.texts.push(box);
  }

  private coversPoint({ left, top, right, bottom }: Box): boolean {
    const away = this.markSize + 2;
    const [west, north] = this.view.toPlane(left - away, top - away);
    const [east, south] = this.view.toPlane(right + away, bottom + away);
    return this.points.rows.some(([x = 0, y = 0]) => x > west && x < east && y > south && y < north);
  }
}
