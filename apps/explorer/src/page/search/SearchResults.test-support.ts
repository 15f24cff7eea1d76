import type { FileResult } from "./SearchResults.ts"

/** A result for tests. */
export const fileResult = (path: string, more: Partial<FileResult> = {}): FileResult => ({
  owner: "octo",
  repo: "hello",
  path,
  language: null,
  inPath: [],
  chunks: [{ lines: [{ number: 3, text: "a hit", cut: 0, matches: [[2, 5]] }] }],
  rank: 0,
  why: [],
  ...more
})
