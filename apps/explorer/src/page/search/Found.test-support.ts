/** Results for tests. */
import type { Found } from "./Found.ts"

export const found = (path: string, more: Partial<Found> = {}): Found => ({
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
