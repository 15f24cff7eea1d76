import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"

/** The colours of the page by name, in light and in dark mode. */
const colours = new Map(
  [
    ...Fs.readFileSync(Path.join(import.meta.dirname, "base.css"), "utf8").matchAll(
      /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g
    )
  ].map(([, name = "", light = "", dark = ""]) => [name, { light, dark }])
)

/** Relative luminance (WCAG 2.2). */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

describe("the colours of code", () => {
  const tokens = [...colours.keys()].filter((name) => name.startsWith("tok-"))

  it("are readable on a plain and on a selected line, in light and in dark mode", () => {
    assert.isAbove(tokens.length, 5)
    for (const token of tokens) {
      for (const ground of ["raised", "chosen", "sunken"]) {
        for (const mode of ["light", "dark"] as const) {
          const [text, below] = [colours.get(token)?.[mode], colours.get(ground)?.[mode]]
          assert.isDefined(text)
          assert.isDefined(below, ground)
          assert.isAtLeast(contrast(text ?? "", below ?? ""), 4.5, `${token} on ${ground}, ${mode}`)
        }
      }
    }
  })
})
