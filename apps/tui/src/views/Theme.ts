/**
 * Maps the role and the background of each span to a style.
 *
 * **Details**
 *
 * With 256 colors or more, each role has a contrast of at least 4.5 on each background, and 7 in high contrast: colors
 * are made lighter or darker for the terminal's background. Terminals define the 16 colors, so the theme uses only
 * colors that have this contrast in xterm, the Linux console and Solarized; other roles have attributes. A selected row
 * has a background, or is inverted if there are no backgrounds. No role depends on color alone: each also has a sign, a
 * word or an attribute.
 */
import type { Rgb } from "../terminal/InputEvent.ts"
import * as TextStyle from "../terminal/TextStyle.ts"
import type { Background, Line, Role } from "../text/StyledLine.ts"
import * as ThemeColor from "./ThemeColor.ts"
import * as Palette from "./ThemePalette.ts"

/** The number of colors of a terminal. */
export type ColorDepth = "none" | "16" | "256" | "true"

/** Properties of the terminal, and the user's choice. */
export interface Options {
  readonly depth: ColorDepth
  readonly isDark: boolean
  /** The background of the terminal, if known. */
  readonly background?: Rgb | undefined
  readonly highContrast?: boolean
}

/** The styles of all roles on all backgrounds. */
export interface Theme {
  readonly style: (role: Role, background?: Background) => TextStyle.TextStyle
}

/** Roles with the default color of the terminal. */
const defaultRoles: ReadonlySet<Role> = new Set(["plain", "strong", "emphasis", "title"])

/** Minimum contrasts of text. */
export const contrast = { normal: 4.5, high: 7 } as const // literal types

/** Creates the theme for a terminal. */
export const make = (options: Options): Theme => {
  const create = styles(options)
  const known = new Map<string, TextStyle.TextStyle>()
  return {
    style: (role, background) => {
      const key = `${role} ${background ?? ""}`
      const style = known.get(key) ?? create(role, background)
      known.set(key, style)
      return style
    }
  }
}

const styles = (options: Options): Theme["style"] => {
  switch (options.depth) {
    case "none":
      return (name, background) => {
        const role = roleWithoutBackground(name, background)
        return withoutBackground("", Palette.plainAttributes[role], background)
      }
    case "16": {
      const colors = options.isDark && options.highContrast !== true ? Palette.dark16 : {}
      return (name, background) => {
        const role = roleWithoutBackground(name, background)
        const attributes = colors[role] === undefined ? Palette.plainAttributes : Palette.attributes
        return withoutBackground(colors[role] ?? "", attributes[role], background)
      }
    }
    case "256":
    case "true":
      return colored(options, options.depth)
  }
}

const changedRoles: Readonly<Partial<Record<Background, Role>>> = {
  addedLine: "added",
  addedWord: "added",
  removedLine: "removed",
  removedWord: "removed"
}

/** Without a background, a changed line has the color of the sign instead of syntax colors. */
const roleWithoutBackground = (role: Role, background: Background | undefined): Role =>
  background === undefined || role === "muted" ? role : (changedRoles[background] ?? role)

/** The style in a terminal without usable backgrounds. */
const withoutBackground = (foreground: string, attributes = 0, background?: Background): TextStyle.TextStyle => {
  // The colors of an inverted row would be blocks of different backgrounds.
  if (background === "selected") return { ...TextStyle.plain, attributes: attributes | Palette.INVERSE }
  const words = background === undefined ? 0 : (Palette.wordAttributes[background] ?? 0)
  // Bold text can have another color.
  return { foreground: words > 0 ? "" : foreground, background: "", attributes: attributes | words }
}

/** The styles with 256 colors or more. */
const colored = ({ background, highContrast = false, isDark }: Options, depth: "256" | "true"): Theme["style"] => {
  const palette = isDark ? Palette.dark : Palette.light
  const least = highContrast ? contrast.high : contrast.normal
  const canvas = background ?? palette.assumed
  const behind = (name: Background): Rgb => {
    if (depth === "256") return ThemeColor.ofNumber(palette.numbers[name])
    const [tint, share] = palette.tints[name]
    // A typical base for an unknown background: `palette.assumed` is an extreme background.
    return ThemeColor.mix(background ?? (isDark ? dark : light), tint, share)
  }
  return (role, name) => {
    // The default color is readable on the default background.
    const isDefault = name === undefined && defaultRoles.has(role)
    const on = name === undefined ? canvas : behind(name)
    const color = palette.roles[role]
    const attributes =
      (Palette.attributes[role] ?? 0) |
      (name === undefined ? 0 : (Palette.wordAttributes[name] ?? 0)) |
      // Other terminals show italic text inverted.
      (role === "comment" && depth === "true" ? Palette.ITALIC : 0)
    if (isDefault) return { foreground: "", background: "", attributes }
    if (depth === "256") {
      return {
        foreground: `38;5;${ThemeColor.nearestNumber(color, on, least)}`,
        background: name === undefined ? "" : `48;5;${palette.numbers[name]}`,
        attributes
      }
    }
    return {
      foreground: `38;2;${ThemeColor.readable(color, on, least).join(";")}`,
      background: name === undefined ? "" : `48;2;${on.join(";")}`,
      attributes
    }
  }
}

/** The base of mixed backgrounds in a terminal with an unknown background. */
const dark: Rgb = [22, 27, 34]
const light: Rgb = [255, 255, 255]

/** Returns the theme for chalk's color level and the reply of the terminal. COLORFGBG is used without a reply. */
export const detect = (level: number, background: Rgb | undefined, colorfgbg: string, highContrast = false): Theme =>
  make({
    depth: (["none", "16", "256", "true"] as const)[level] ?? "true", // literal types
    isDark: background === undefined ? isDarkColorfgbg(colorfgbg) : ThemeColor.isDark(background),
    background,
    highContrast
  })

/** Reads COLORFGBG, such as `15;0` or `0;default;15`: the last number is the background, one of the 16 colors. */
const isDarkColorfgbg = (text: string): boolean => {
  const background = Number(/(?:^|;)(\d+)$/.exec(text)?.[1] ?? 0)
  return background !== 7 && background < 9
}

/** Returns a line as text with SGR sequences. */
export const render = (theme: Theme, line: Line): string => {
  let current = TextStyle.plain
  let text = ""
  for (const span of line) {
    if (span.text === "") continue
    const style = theme.style(span.role, span.background)
    text += TextStyle.transition(current, style) + span.text
    current = style
  }
  return text + TextStyle.transition(current, TextStyle.plain)
}
