/** The colours of well-known terminals: 16 of the palette, text and background. */
export interface Palette {
  readonly colors: ReadonlyArray<string>
  readonly foreground: string
  readonly background: string
}

const list = (colors: string) => colors.split(" ").map((color) => `#${color}`)

const xterm = list(
  "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
)
const linux = list(
  "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff"
)
const solarized = list(
  "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3"
)

export const palettes = {
  "xterm-dark": { colors: xterm, foreground: "#e5e5e5", background: "#000000" },
  "xterm-light": { colors: xterm, foreground: "#000000", background: "#ffffff" },
  linux: { colors: linux, foreground: "#aaaaaa", background: "#000000" },
  "solarized-dark": { colors: solarized, foreground: "#839496", background: "#002b36" },
  "solarized-light": { colors: solarized, foreground: "#657b83", background: "#fdf6e3" }
} as const satisfies Readonly<Record<string, Palette>>

const cube = [0, 95, 135, 175, 215, 255]

/** Returns the CSS colour of an index from 0 to 255. */
export const indexed = ({ colors }: Palette, index: number): string => {
  if (index < 16) return colors[index] ?? "#000000"
  if (index >= 232) {
    const gray = 8 + (index - 232) * 10
    return `rgb(${gray},${gray},${gray})`
  }
  const [red, green, blue] = [36, 6, 1].map((step) => cube[Math.floor((index - 16) / step) % 6])
  return `rgb(${red},${green},${blue})`
}
