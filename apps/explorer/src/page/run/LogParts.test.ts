import { assert, it } from "@effect/vitest"
import * as JobLog from "@tongs/core/text/JobLog"
import * as LogParts from "./LogParts.ts"

const shape = (text: string) =>
  LogParts.make(JobLog.parse(text)).map((part) =>
    part._tag === "Group" ? [part.title.number, part.lines.length, part.isFailed] : part.lines.length
  )

it("splits a log at its groups, and long parts", () => {
  assert.deepStrictEqual(shape("a\nb\n##[group]c\nd\n##[endgroup]\ne\n"), [2, [3, 1, false], 1])
  assert.deepStrictEqual(shape("##[group]a\n##[group]b\n##[error]c\n"), [
    [1, 0, false],
    [2, 1, true]
  ])
  assert.deepStrictEqual(shape("x\n".repeat(450)), [200, 200, 50])
  // The end of a log can begin inside a group.
  assert.deepStrictEqual(shape("a\n##[endgroup]\nb\n"), [2])
})
