import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { Rgb } from "../terminal/InputEvent.ts"
import type { TextStyle } from "../terminal/TextStyle.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as Theme from "./Theme.ts"
import * as ThemeColor from "./ThemeColor.ts"
import * as Palette from "./ThemePalette.ts"

const { hex } = ThemeColor

const roles = Object.keys(Palette.dark.roles) as ReadonlyArray<StyledLine.Role> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the record has a key for each role
const backgrounds = Object.keys(Palette.dark.tints) as ReadonlyArray<StyledLine.Background> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the record has a key for each background

const colors = (text: string): ReadonlyArray<Rgb> => text.split(" ").map((color) => hex(`#${color}`))

/** The backgrounds of common terminals and color schemes. */
const common = {
  dark: colors("000000 1e1e1e 0d1117 002b36 282c34 282a36 1d2021 2e3440 303446"),
  light: colors("ffffff fafafa fdf6e3 eff1f5 fbf1c7 f6f8fa")
}

/** The 16 colors of common terminals, with the background of each terminal. */
const palettes = {
  xterm: {
    colors: colors(
      "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
    ),
    dark: colors("000000"),
    light: colors("ffffff")
  },
  "the Linux console": {
    colors: colors(
      "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff"
    ),
    dark: colors("000000"),
    light: []
  },
  Solarized: {
    colors: colors(
      "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3"
    ),
    dark: colors("002b36"),
    light: colors("fdf6e3")
  }
}

/** Returns the color of SGR parameters, or undefined for the default color. */
const rgb = (parameters: string): Rgb | undefined => {
  const [, kind, first = 0, second = 0, third = 0] = parameters.split(";").map(Number)
  if (kind === 2) return [first, second, third]
  return kind === 5 ? ThemeColor.ofNumber(first) : undefined
}

/** The contrast of a style; undefined if the terminal defines both colors. */
const contrast = (style: TextStyle, canvas: Rgb): number | undefined => {
  const foreground = rgb(style.foreground)
  const background = rgb(style.background)
  if (foreground === undefined)
    assert.strictEqual(style.background, "", "the default color is on the default background")
  return foreground === undefined ? undefined : ThemeColor.contrast(foreground, background ?? canvas)
}

const pairs = roles.flatMap((role) => [undefined, ...backgrounds].map((background) => ({ role, background })))

const polarities = ["dark", "light"] as const // literal types

describe("Theme", () => {
  for (const depth of ["256", "true"] as const)
    for (const polarity of polarities)
      for (const highContrast of [false, true]) {
        const least = highContrast ? 7 : 4.5
        const isDark = polarity === "dark"
        it(`has a contrast of ${least} for each role and background: ${depth} colors, ${polarity}`, () => {
          for (const canvas of common[polarity])
            for (const background of [undefined, canvas]) {
              const theme = Theme.make({ depth, isDark, background, highContrast })
              for (const pair of pairs) {
                const found = contrast(theme.style(pair.role, pair.background), canvas)
                if (found !== undefined) assert.isAtLeast(found, least, JSON.stringify({ ...pair, background, canvas }))
              }
            }
        })
      }

  const Component = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 255 })))

  it.prop("is readable on any background", [Component, Component, Component], ([red, green, blue]) => {
    const background: Rgb = [red, green, blue]
    const theme = Theme.make({ depth: "true", isDark: ThemeColor.isDark(background), background })
    for (const pair of pairs) {
      const found = contrast(theme.style(pair.role, pair.background), background)
      if (found !== undefined) assert.isAtLeast(found, 4.5, JSON.stringify({ ...pair, background }))
    }
  })

  it("uses only those of the 16 colors that are readable in all palettes", () => {
    let used = 0
    for (const polarity of polarities) {
      const theme = Theme.make({ depth: "16", isDark: polarity === "dark" })
      for (const { background, role } of pairs) {
        const style = theme.style(role, background)
        assert.strictEqual(style.background, "")
        if (style.foreground === "") continue
        const number = Number(style.foreground) - (Number(style.foreground) >= 90 ? 82 : 30)
        // Many terminals show bold text in the bright variant of the color.
        const shown = (style.attributes & Palette.BOLD) > 0 ? [number, number | 8] : [number]
        for (const [name, palette] of Object.entries(palettes))
          for (const canvas of palette[polarity])
            for (const index of shown) {
              used++
              const color = palette.colors[index]
              assert.isAtLeast(color === undefined ? 0 : ThemeColor.contrast(color, canvas), 4.5, `${role} in ${name}`)
            }
      }
    }
    assert.isAbove(used, 0)
  })

  it("inverts a selected row without backgrounds, and keeps its colors otherwise", () => {
    for (const depth of ["none", "16"] as const)
      for (const role of roles) {
        const style = Theme.make({ depth, isDark: true }).style(role, "selected")
        assert.deepStrictEqual(
          [style.foreground, style.background, style.attributes & Palette.INVERSE],
          ["", "", Palette.INVERSE]
        )
      }
    const theme = Theme.make({ depth: "true", isDark: true })
    assert.notStrictEqual(theme.style("id", "selected").foreground, theme.style("plain", "selected").foreground)
  })

  it("has attributes where text has no sign, at each number of colors", () => {
    for (const depth of ["none", "16", "256", "true"] as const)
      for (const isDark of [true, false])
        for (const highContrast of [false, true]) {
          const theme = Theme.make({ depth, isDark, highContrast })
          for (const role of ["strong", "emphasis", "title", "match", "warning", "error", "link"] as const)
            assert.isAbove(theme.style(role).attributes, 0, role)
          for (const word of ["addedWord", "removedWord"] as const)
            assert.isAbove(theme.style("plain", word).attributes, 0, word)
          if (depth === "none")
            for (const { background, role } of pairs) assert.strictEqual(theme.style(role, background).foreground, "")
        }
  })

  it("chooses colors by the terminal's reply, then COLORFGBG, else for a dark terminal", () => {
    const foreground = (...[level, background, colorfgbg]: Parameters<typeof Theme.detect>) =>
      Theme.detect(level, background, colorfgbg).style("muted").foreground
    const light = foreground(2, undefined, "0;15")
    const dark = foreground(2, undefined, "15;0")
    assert.notStrictEqual(light, dark)
    assert.strictEqual(foreground(2, undefined, ""), dark)
    assert.strictEqual(foreground(2, undefined, "0;default;15"), light)
    assert.strictEqual(foreground(2, undefined, "12;8"), dark)
    assert.strictEqual(foreground(2, [238, 232, 213], "15;0"), light)
    assert.match(foreground(3, undefined, ""), /^38;2;/)
    assert.strictEqual(foreground(1, undefined, ""), "")
    assert.strictEqual(foreground(0, undefined, ""), "")
  })

  it("renders a line with the shortest sequences", () => {
    const theme = Theme.make({ depth: "16", isDark: true })
    const line = [StyledLine.span("a"), StyledLine.span("b", "accent"), StyledLine.span(""), StyledLine.span("c", "id")]
    assert.strictEqual(Theme.render(theme, line), "a\u001b[36mbc\u001b[0m")
    assert.strictEqual(Theme.render(theme, StyledLine.withBackground(line, "selected")), "\u001b[7mabc\u001b[0m")
  })

  it("shows changed lines in one color where backgrounds are unusable", () => {
    const { style } = Theme.make({ depth: "16", isDark: true })
    assert.deepStrictEqual(style("keyword", "addedLine"), style("added", undefined))
    assert.deepStrictEqual(style("string", "removedLine"), style("removed", undefined))
    assert.deepStrictEqual(style("muted", "addedLine"), style("muted", undefined))
    assert.notDeepEqual(style("keyword", undefined), style("added", undefined))
  })
})
