// Numbers as people read them: few digits, whole numbers whole, a real minus sign. The full digits are in
// the tooltip and in `data-value`.

import type { Bracket } from "./contract.js";

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A count, its thousands set apart from 10 000 on. */
export const grouped = (value: number): string => value < 1e15 ? apart(String(Math.floor(value))) : short(value);

const apart = (digits: string): string =>
  digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u202f") : digits;

/** A whole number that may have hundreds of digits. */
export function shortWhole(digits: string): string {
  if (digits.length < 15) return apart(digits);
  // It may be beyond every double: the first digits tell the mantissa, the length the power.
  const [mantissa = "", power = "0"] = Number(digits.slice(0, 15)).toExponential(3).split("e");
  return `${plain(mantissa)}·10${raised(Number(power) + digits.length - 15)}`;
}

/** A count and what is counted. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** What is known of a margin: "γ = 0.3333" or "0.3 ≤ γ ≤ 0.4". */
export function bracket({ lower, upper }: Bracket, symbol = "γ"): string {
  if (lower !== undefined && upper !== undefined) {
    if (short(lower) === short(upper)) return `${symbol} = ${short(lower)}`;
    return `${short(lower)} ≤ ${symbol} ≤ ${short(upper)}`;
  }
  if (lower !== undefined) return `${symbol} ≥ ${short(lower)}`;
  return upper === undefined ? `${symbol} is not known` : `${symbol} ≤ ${short(upper)}`;
}

/** The most updates that a bound allows: a whole number, and not thrown up or down by the last bit. */
export const allowed = (bound: number): number => Math.floor(bound * (1 + 1e-9));

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
