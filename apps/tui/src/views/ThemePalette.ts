/** The colors of roles and backgrounds, before the adaptation to the terminal. */
import type { Background, Role } from "../text/StyledLine.ts"
import type { TextStyle } from "../terminal/TextStyle.ts"
import type { Rgb } from "../terminal/InputEvent.ts"
import { hex } from "./ThemeColor.ts"

/** Colors for dark or light backgrounds. */
export interface Palette {
  /** The lightest common background of dark terminals, or the darkest common background of light terminals. */
  readonly assumed: Rgb
  readonly roles: Readonly<Record<Role, Rgb>>
  /** Each background is the terminal's background with a share of a color. */
  readonly tints: Readonly<Record<Background, readonly [color: Rgb, share: number]>>
  /** Backgrounds of 256 colors. The cube has few dark and few pale colors, so mixing gives grays. */
  readonly numbers: Readonly<Record<Background, number>>
}

export const dark: Palette = {
  assumed: hex("#303446"),
  roles: {
    plain: hex("#e6edf3"),
    muted: hex("#8b949e"),
    accent: hex("#79c0ff"),
    strong: hex("#f0f6fc"),
    emphasis: hex("#e6edf3"),
    title: hex("#f0f6fc"),
    id: hex("#d2a8ff"),
    added: hex("#7ee787"),
    removed: hex("#ff9a92"),
    hunk: hex("#a5b4fc"),
    match: hex("#f2cc60"),
    success: hex("#56d364"),
    warning: hex("#e3b341"),
    error: hex("#ff7b72"),
    link: hex("#79c0ff"),
    comment: hex("#8b949e"),
    keyword: hex("#d2a8ff"),
    string: hex("#a5d6a7"),
    number: hex("#f0a875"),
    type: hex("#7fdbca"),
    function: hex("#82b4ff"),
    property: hex("#b8c7d9"),
    series1: hex("#58a6ff"),
    series2: hex("#f0883e"),
    series3: hex("#bc8cff"),
    series4: hex("#3fb950")
  },
  tints: {
    selected: [hex("#58a6ff"), 0.22],
    marked: [hex("#e3b341"), 0.16],
    overlay: [hex("#ffffff"), 0.07],
    name: [hex("#58a6ff"), 0.3],
    addedLine: [hex("#2ea043"), 0.16],
    removedLine: [hex("#f85149"), 0.15],
    addedWord: [hex("#2ea043"), 0.42],
    removedWord: [hex("#f85149"), 0.4]
  },
  numbers: {
    selected: 238,
    marked: 17,
    overlay: 235,
    name: 240,
    addedLine: 22,
    removedLine: 52,
    addedWord: 22,
    removedWord: 52
  }
}

export const light: Palette = {
  assumed: hex("#eee8d5"),
  roles: {
    plain: hex("#1f2328"),
    muted: hex("#59636e"),
    accent: hex("#0550ae"),
    strong: hex("#1f2328"),
    emphasis: hex("#1f2328"),
    title: hex("#1f2328"),
    id: hex("#6639ba"),
    added: hex("#116329"),
    removed: hex("#a40e26"),
    hunk: hex("#3a4fb5"),
    match: hex("#7d4e00"),
    success: hex("#1a7f37"),
    warning: hex("#7d4e00"),
    error: hex("#cf222e"),
    link: hex("#0969da"),
    comment: hex("#59636e"),
    keyword: hex("#8250df"),
    string: hex("#0a6640"),
    number: hex("#953800"),
    type: hex("#0b6265"),
    function: hex("#3a4fb5"),
    property: hex("#3d4f63"),
    series1: hex("#0969da"),
    series2: hex("#bc4c00"),
    series3: hex("#8250df"),
    series4: hex("#1a7f37")
  },
  tints: {
    selected: [hex("#0969da"), 0.15],
    marked: [hex("#d4a72c"), 0.25],
    overlay: [hex("#000000"), 0.05],
    name: [hex("#0969da"), 0.3],
    addedLine: [hex("#4ac26b"), 0.2],
    removedLine: [hex("#ff8182"), 0.2],
    addedWord: [hex("#4ac26b"), 0.45],
    removedWord: [hex("#ff8182"), 0.45]
  },
  numbers: {
    selected: 189,
    marked: 229,
    overlay: 254,
    name: 153,
    addedLine: 194,
    removedLine: 224,
    addedWord: 157,
    removedWord: 217
  }
}

/** SGR attributes in the bits of `TextStyle`. */
export const BOLD = 1
export const ITALIC = 1 << 2
export const UNDERLINE = 1 << 3
export const INVERSE = 1 << 5

/** Attributes with colors. Text with these roles also has a sign or a word. */
export const attributes: Readonly<Partial<Record<Role, number>>> = {
  strong: BOLD,
  emphasis: ITALIC,
  title: BOLD,
  match: BOLD | UNDERLINE,
  warning: BOLD,
  error: BOLD,
  link: UNDERLINE
}

/** Attributes without colors. */
export const plainAttributes: Readonly<Partial<Record<Role, number>>> = {
  ...attributes,
  accent: BOLD,
  added: BOLD,
  keyword: BOLD
}

/** Attributes of the name under the cursor and of changed words. */
export const wordAttributes: Readonly<Partial<Record<Background, number>>> = {
  name: BOLD | UNDERLINE,
  addedWord: BOLD | UNDERLINE,
  removedWord: BOLD | UNDERLINE
}

/**
 * The colors of dark terminals with 16 colors, as SGR parameters. Only green, cyan and bright cyan are readable in
 * xterm, on the Linux console and in Solarized. Green is not readable in bold, which shows the bright color in many
 * terminals. On light backgrounds, no color is readable in all palettes.
 */
export const dark16: Readonly<Partial<Record<Role, TextStyle["foreground"]>>> = {
  accent: "36",
  id: "36",
  added: "32",
  hunk: "96",
  success: "32",
  match: "96",
  link: "36",
  string: "32",
  type: "36",
  function: "96",
  series1: "36",
  series4: "32"
}
