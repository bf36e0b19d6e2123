// Round tick values along an axis.

/** A limit for ranges in which adding a step does not change a number. */
const MAX_TICKS = 100;

/** About `wanted` round values in a range, in steps of 1, 2 or 5 times a power of ten. */
export function linearTicks([from, to]: [number, number], wanted: number, whole = false): number[] {
  const rough = (to - from) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough * 0.999) ?? rough;
  const step = whole ? Math.max(1, Math.round(round)) : round;
  const ticks: number[] = [];
  const first = Math.ceil(from / step - 1e-9);
  for (let k = 0; k < MAX_TICKS && (first + k) * step <= to + step * 1e-9; k++) {
    ticks.push(Number(((first + k) * step).toPrecision(12)));
  }
  return ticks;
}

/** Powers of ten in a range, and 2 and 5 times them if there are few. */
export function logTicks([from, to]: [number, number], wanted: number): number[] {
  const decades = Math.log10(to / from);
  const times = decades < wanted / 3 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(decades / Math.max(1, wanted)));
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power++) {
    if (power % stride !== 0) continue;
    ticks.push(...times.map((digit) => Number((digit * 10 ** power).toPrecision(3))));
  }
  return ticks.filter((tick) => tick >= from * 0.999 && tick <= to * 1.001);
}
