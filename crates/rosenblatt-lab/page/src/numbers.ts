// Numbers as people read them: few digits, whole numbers whole, a real minus sign. The full digits are in
// the tooltip and in `data-value`.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A count, its thousands set apart. */
export const grouped = (value: number): string =>
  value < 10_000 || value >= 1e15 ? short(value) : String(Math.floor(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** A number with few digits; whole numbers are exact. */
export function short(value: number, digits = 4): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return minus(String(value));
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "—";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
  const power = Number(exponent);
  if (power < -4 || power > 14) return minus(`${plain(mantissa)}·10`) + raised(power);
  return minus(plain(value.toFixed(Math.max(0, digits - 1 - power))));
}

/** All digits, as many as tell the number from its neighbours. */
export const full = (value: number): string => minus(String(value));

export const minus = (text: string): string => text.replaceAll("-", "−");

/** A number as a factor or a later summand: negative ones in brackets. */
export const bracketed = (value: number): string => (value < 0 ? `(${short(value)})` : short(value));

/** " + 3" or " − 3": a number joined to a sum. */
export const joined = (value: number): string => (value < 0 ? ` − ${short(-value)}` : ` + ${short(value)}`);

export const vector = (values: readonly number[]): string => `(${values.map(value => short(value)).join(", ")})`;

/** Digits as indices below the line. */
export const lowered = (value: number): string =>
  String(value).replace(/\d/g, digit => String.fromCharCode(0x2080 + Number(digit)));

function raised(power: number): string {
  return (power < 0 ? "⁻" : "") + String(Math.abs(power)).replace(/\d/g, digit => RAISED[Number(digit)] ?? "");
}

function plain(text: string): string {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

/** Writes a number, or several, into an element, with all their digits where tests and tooltips look. */
export function write(element: HTMLElement, value: number | readonly number[] | undefined, text?: string): void {
  const shown = text ?? (value === undefined ? "—" : typeof value === "number" ? short(value) : vector(value));
  if (element.textContent !== shown) element.textContent = shown;
  const digits = value === undefined ? "" : JSON.stringify(value);
  if (element.dataset.value === digits) return;
  element.dataset.value = digits;
  element.title = value === undefined ? "" : typeof value === "number" ? full(value) : `(${value.map(full).join(", ")})`;
}
