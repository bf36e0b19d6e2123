// Numbers as people read them.

import type { Bracket } from "../contract.js";

/** About four digits: 0.3333, 1 234, 3.2 × 10¹². */
export function short(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "not a number";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return scientific(value, digits);
  const plain = size >= 10 ** digits ? Math.round(value) : Number(value.toPrecision(digits));
  return signed(grouped(String(plain)));
}

/** A whole number that may have hundreds of digits. */
export function shortWhole(digits: string): string {
  if (digits.length < 15) return grouped(digits);
  // It may be beyond every double: the first digits tell the mantissa, the length the power.
  const first = Number(digits.slice(0, 15)).toExponential(3).split("e");
  return `${first[0]} × 10${raised(Number(first[1]) + digits.length - 15)}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${short(count, 9)} ${count === 1 ? one : many}`;
}

/** What is known of a margin: "γ = 0.3333" or "0.3 ≤ γ ≤ 0.4". */
export function bracket({ lower, upper }: Bracket, symbol = "γ"): string {
  if (lower !== undefined && upper !== undefined) {
    if (short(lower) === short(upper)) return `${symbol} = ${short(lower)}`;
    return `${short(lower)} ≤ ${symbol} ≤ ${short(upper)}`;
  }
  if (lower !== undefined) return `${symbol} ≥ ${short(lower)}`;
  return upper === undefined ? `${symbol} is not known` : `${symbol} ≤ ${short(upper)}`;
}

/** A number of updates that a bound allows: whole, and not thrown up or down by the last bit. */
export const allowed = (bound: number): number => Math.floor(bound * (1 + 1e-9));

export const place = (x: number, y: number): string => `(${short(x)}, ${short(y)})`;

function scientific(value: number, digits: number): string {
  const [mantissa = "", exponent = "0"] = value.toExponential(digits - 1).split("e");
  return signed(`${Number(mantissa)} × 10${raised(Number(exponent))}`);
}

function raised(exponent: number): string {
  return String(exponent).replace(/[-\d]/g, (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? ""));
}

/** Thousands apart by a narrow space from 10 000 on. */
function grouped(text: string): string {
  const [whole = "", part] = text.split(".");
  const apart = whole.replace("-", "").length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
  return part === undefined ? apart : `${apart}.${part}`;
}

const signed = (text: string): string => text.replace(/^-/, "−");
