/** Reads the terms of the changed lines of each commit in a log. */
import { LogParser } from "../commits/LogParser.ts"
import type * as Terms from "../text/Terms.ts"

/** Maximum number of characters of changed lines whose terms are collected, and of terms of a commit. */
const MAX_TEXT = 4 * 1024 * 1024
const MAX_TERMS = 400_000

/** Receives a commit with the terms of its changed lines: undefined if there are too many, or a limit cut off a line. */
export type OnCommit = (oid: string, terms: Uint32Array | undefined) => void

/** Parses a log with patches. Pass chunks to `push`, then call `end` if git succeeded. */
export const makeReader = (collector: Terms.Collector, onCommit: OnCommit): Pick<LogParser, "push" | "end"> => {
  let oid = ""
  let lines: Array<string> = []
  let length = 0
  return new LogParser("patches", {
    onCommit: ({ sha }) => {
      oid = sha
      lines = []
      length = 0
    },
    onFile: () => length <= MAX_TEXT,
    onLine: (_change, _number, text) => {
      length += text.length
      if (length > MAX_TEXT) lines = []
      else lines.push(text)
    },
    onEnd: (isCut) => {
      const terms = isCut || length > MAX_TEXT ? undefined : collector.collect(lines.join("\n"), [])
      onCommit(oid, terms !== undefined && terms.length > MAX_TERMS ? undefined : terms)
    }
  })
}
