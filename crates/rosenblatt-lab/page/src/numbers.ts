// Formats numbers with few digits and a true minus sign. The tooltip and `data-value` have all digits.

import type { Bracket } from "./contract.js";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A count; thousands are grouped from 10 000 on. */
export const grouped = (value: number): string => value < 1e15 ? groupThousands(String(Math.floor(value))) : short(value);

const groupThousands = (digits: string): string =>
  digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u202f") : digits;

/** A whole number that may have hundreds of digits. */
export function shortWhole(digits: string): string {
  if (digits.length < 15) return groupThousands(digits);
  // The number may exceed every double: the first digits give the mantissa, the length gives the power.
  const [mantissa = "", power = "0"] = Number(digits.slice(0, 15)).toExponential(3).split("e");
  return `${withoutTrailingZeros(mantissa)}·10${superscript(Number(power) + digits.length - 15)}`;
}

/** A count with its noun. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** The bounds on a margin: "γ = 0.3333" or "0.3 ≤ γ ≤ 0.4". */
export function bracket({ lower, upper }: Bracket, symbol = "γ"): string {
  if (lower !== undefined && upper !== undefined) {
    if (short(lower) === short(upper)) return `${symbol} = ${short(lower)}`;
    return `${short(lower)} ≤ ${symbol} ≤ ${short(upper)}`;
  }
  if (lower !== undefined) return `${symbol} ≥ ${short(lower)}`;
  return upper === undefined ? `${symbol} is not known` : `${symbol} ≤ ${short(upper)}`;
}

/** The maximum number of updates under a bound; the factor compensates rounding errors. */
export const allowedUpdates = (bound: number): number => Math.floor(bound * (1 + 1e-9));

/** A number with few digits; integers are exact. */
export function short(value: number, digits = 4): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return minus(String(value));
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "—";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
  const power = Number(exponent);
  if (power < -4 || power > 14) return minus(`${withoutTrailingZeros(mantissa)}·10`) + superscript(power);
  return minus(withoutTrailingZeros(value.toFixed(Math.max(0, digits - 1 - power))));
}

/** The shortest text that identifies the number. */
export const full = (value: number): string => minus(String(value));

export const minus = (text: string): string => text.replaceAll("-", "−");

/** A number as a factor: negative numbers are in brackets. */
export const bracketed = (value: number): string => (value < 0 ? `(${short(value)})` : short(value));

/** A number as a later summand: " + 3" or " − 3". */
export const joined = (value: number): string => (value < 0 ? ` − ${short(-value)}` : ` + ${short(value)}`);

export const vector = (values: readonly number[]): string => `(${values.map(value => short(value)).join(", ")})`;

/** A number as a subscript. */
export const subscript = (value: number): string =>
  String(value).replace(/\d/g, digit => String.fromCharCode(0x2080 + Number(digit)));

/** The name of an example, counted from 0: x⁽¹⁾, because x₁ is a feature. */
export const exampleName = (index: number): string => `x⁽${superscript(index + 1)}⁾`;

function superscript(power: number): string {
  return (power < 0 ? "⁻" : "") + String(Math.abs(power)).replace(/\d/g, digit => SUPERSCRIPTS[Number(digit)] ?? "");
}

function withoutTrailingZeros(text: string): string {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

/** Writes numbers into an element, with all digits in its tooltip and `data-value`. */
export function writeNumber(element: HTMLElement, value: number | readonly number[] | undefined, text?: string): void {
  const shown = text ?? (value === undefined ? "—" : typeof value === "number" ? short(value) : vector(value));
  if (element.textContent !== shown) element.textContent = shown;
  const digits = value === undefined ? "" : JSON.stringify(value);
  if (element.dataset.value === digits) return;
  element.dataset.value = digits;
  element.title = value === undefined ? "" : typeof value === "number" ? full(value) : `(${value.map(full).join(", ")})`;
}
