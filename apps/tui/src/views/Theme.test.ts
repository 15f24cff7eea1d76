import { assert, describe, it } from "@effect/vitest"
import { foregroundColorNames } from "chalk"
import * as Theme from "./Theme.ts"

type Rgb = ReadonlyArray<number>

const hex = (text: string): ReadonlyArray<Rgb> =>
  text.split(" ").map((color) => [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16)))

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

/** The RGB values of the 16 colors in common terminals, and the backgrounds of each palette. */
const palettes = {
  xterm: {
    colors: hex(
      "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
    ),
    backgrounds: [black, white]
  },
  "the Linux console": {
    colors: hex(
      "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff"
    ),
    backgrounds: [black]
  },
  Solarized: {
    colors: hex(
      "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3"
    ),
    backgrounds: hex("002b36 fdf6e3")
  }
}

const steps = [0, 95, 135, 175, 215, 255]

/** The RGB value of a color of the 256: from the cube or the gray ramp. */
const ofCube = (color: number): Rgb =>
  color >= 232
    ? [0, 1, 2].map(() => 8 + 10 * (color - 232))
    : [36, 6, 1].map((weight) => steps[Math.floor((color - 16) / weight) % 6] ?? 0)

/** Relative luminance, as WCAG defines it. */
const luminance = (color: Rgb) => {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 for equal colours to 21 for black on white. */
const contrast = (a: Rgb, b: Rgb) => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

const colorsOf = (theme: Theme.Theme) =>
  Object.entries(theme).flatMap(([role, { bold = false, color }]) =>
    color === undefined ? [] : [{ role, color, bold }]
  )

/** The names of the 16 colors, in the order of their numbers. Chalk has two more for gray. */
const names: ReadonlyArray<string> = foregroundColorNames.filter((name) => !/gr[ae]y/.test(name))

describe("Theme", () => {
  it("has 256 colors with enough contrast on black and on white", () => {
    for (const { color, role } of colorsOf(Theme.colors256)) {
      const rgb = ofCube(Number(/\d+(?=\)$)/.exec(color)?.[0]))
      for (const background of [black, white]) assert.isAtLeast(contrast(rgb, background), 3.8, role)
    }
  })

  it("has 16 colors with enough contrast in every palette, on dark and light backgrounds", () => {
    const used = colorsOf(Theme.colors16)
    assert.isNotEmpty(used)
    for (const { bold, color, role } of used) {
      const number = names.indexOf(color)
      assert.isAtLeast(number, 0, `${color} is one of the 16`)
      for (const [palette, { backgrounds, colors }] of Object.entries(palettes)) {
        // Many terminals show bold text in the bright variant of its colour.
        for (const shown of bold ? [number, number | 8] : [number]) {
          for (const background of backgrounds) {
            assert.isAtLeast(contrast(colors[shown] ?? black, background), 3, `${role} in ${palette}`)
          }
        }
      }
    }
  })

  it("never lets Ink convert a color to one of 16", () => {
    for (const { color } of colorsOf(Theme.forColorLevel(1))) assert.include(names, color)
    assert.strictEqual(Theme.forColorLevel(2), Theme.colors256)
    assert.strictEqual(Theme.forColorLevel(3), Theme.colors256)
  })

  it("has no colors at color level 0", () => {
    assert.isEmpty(colorsOf(Theme.forColorLevel(0)))
  })
})
