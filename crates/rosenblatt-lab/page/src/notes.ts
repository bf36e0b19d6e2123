// The lecture notes: options under a name.

import { DEFAULTS, NOTES, type RunOptions, TEXT_OPTIONS } from "./contract.js";

export type Notes = (typeof NOTES)[number];

export const notesNamed = (name: string): Notes | undefined => NOTES.find(notes => notes.name === name);

/** The notes whose algorithm these options are, if there are any. */
export const notesLike = (options: RunOptions): Notes | undefined => NOTES.find(notes => areOptionsOf(notes, options));

/** Whether options are those of notes. Seed, η, the maximum of epochs and the allowed mistakes are parameters of their algorithms. */
export function areOptionsOf(notes: Notes, options: RunOptions): boolean {
  const word = (of: RunOptions, key: (typeof TEXT_OPTIONS)[number]): string | undefined => of[key] ?? (DEFAULTS as RunOptions)[key];
  return options.start === undefined && TEXT_OPTIONS.every(key => word(options, key) === word(notes.options, key));
}
