/** The value of `rev:`: a branch, tag or commit, or a pattern for branches and tags. */
import { type QueryProblem, write } from "./QueryProblem.ts"

/** Parses a revision. Accepts Sourcegraph's form for patterns, `*refs/heads/v1.*`. */
export const parse = (written: string): string | QueryProblem => {
  const value = written.replace(/^\*refs\/(?:heads|tags)\/(?=.)/, "")
  if (/^[-^]|^\*!/.test(value) || value === "") {
    return write("Name the branches, tags or commits to search.", "rev:main")
  }
  return /\s/.test(value) || value.startsWith("at.time(")
    ? write("A revision is a branch, a tag or a commit, without spaces.", "rev:main")
    : value
}
