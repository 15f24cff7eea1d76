import { assert, describe, it } from "@effect/vitest"
import * as EnclosingLine from "./EnclosingLine.ts"
import { PartialText } from "./text/PartialText.ts"

/** The text of the line found around the first line with `>>>`. */
const around = (text: string): string | undefined => {
  const lines = text.split("\n")
  const found = EnclosingLine.find(PartialText.ofWhole(text), lines.findIndex((line) => line.includes(">>>")) + 1)
  return found === undefined ? undefined : lines[found - 1]?.trim()
}

describe("EnclosingLine", () => {
  it("finds a C function, past its brace, labels and directives", () => {
    const text = `#include <x.h>
static int __init start(struct device *device,
\t\t\tint flags)
{
\tint i;

\tfor (i = 0; i < 3; i++) {
#ifdef DEBUG
again:
\t\tif (flags) {
\t\t\treturn 1;
\t\t} else {
\t\t\t>>>
`
    assert.strictEqual(around(text), "static int __init start(struct device *device,")
  })

  it("finds a method, not its class or a condition", () => {
    const text = `export class Reader {
  read(at: number): string {
    if (at > 0) {
      const more = { >>> }
`
    assert.strictEqual(around(text), "read(at: number): string {")
  })

  it("finds a Python function", () => {
    assert.strictEqual(
      around(`class Tide:\n    @cached\n    def next(self):\n        # a comment\n        >>>\n`),
      "def next(self):"
    )
  })

  it("finds an arrow function, and not a local constant", () => {
    assert.strictEqual(around(`export const read = (a) => {\n  const x = {\n    >>>\n`), "export const read = (a) => {")
  })

  it("finds the outermost line of data", () => {
    assert.strictEqual(around(`{\n  "scripts": {\n    "build": [\n      ">>>"\n`), `"scripts": {`)
  })

  it("finds nothing at the outermost level", () => {
    assert.isUndefined(around(`const a = 1\n>>>\n`))
  })

  it("reads a bounded number of lines", () => {
    assert.isUndefined(around(`function f() {\n${"  x\n".repeat(3_000)}  >>>\n`))
  })
})
