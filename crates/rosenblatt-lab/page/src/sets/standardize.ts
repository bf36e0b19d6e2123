// Standardized columns: the mean of each is 0, and its standard deviation 1.

import type { Points } from "../contract.js";

/** Subtracts each column's mean and divides by its standard deviation; a constant column becomes 0. */
export function standardized({ rows, signs }: Points): Points {
  const scales = [0, 1].map(column => {
    const values = rows.map(row => row[column] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, deviation: Math.sqrt(square) };
  });
  return { rows: rows.map(row => scales.map(({ mean, deviation }, k) => (deviation > 0 ? ((row[k] ?? 0) - mean) / deviation : 0))), signs };
}
