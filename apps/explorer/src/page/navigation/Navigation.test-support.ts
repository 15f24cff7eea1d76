/** Definitions and references for tests. */
import type { Definition, Reference } from "@tongs/core/contract/groups/CodeNavigation"

const location = { owner: "octo", repo: "hello", path: "src/b.ts", commit: "c".repeat(40) }

/** Creates a definition of `hit`. */
export const definition = (more: Partial<Definition> = {}): Definition => ({
  ...location,
  name: "hit",
  kind: "function",
  line: 1,
  text: "const hit = () => 1",
  ...more
})

/** Creates a reference to `hit`. */
export const reference = (path: string, line: number, more: Partial<Reference> = {}): Reference => ({
  ...location,
  path,
  line,
  text: "  use(hit)",
  matches: [[6, 9]],
  ...more
})
