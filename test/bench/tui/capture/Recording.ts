/** Draws captured screens as one animated SVG file, in which each screen is visible for its time. */
import { writeFileSync } from "node:fs"
import type * as Palette from "./Palette.ts"
import * as ScreenImage from "./ScreenImage.ts"
import type { Cell } from "./StyledScreen.ts"
import * as StyledScreen from "./StyledScreen.ts"

/** A screen, and how long it is visible, in seconds. */
export interface Frame {
  /** The output of `tmux capture-pane -e`. */
  readonly capture: string
  readonly seconds: number
  /** The pressed key, drawn below the screen. */
  readonly key: string
}

const CELL_WIDTH = 8.4
const FONT_SIZE = 14
const ROW_HEIGHT = 18
const PADDING = 12
/** Height of the line with the pressed key. */
const KEY_HEIGHT = 30

/** Writes an SVG file that shows the frames in a loop. Equal rows are stored once. */
export const write = (
  path: string,
  frames: ReadonlyArray<Frame>,
  size: { readonly columns: number; readonly rows: number },
  palette: Palette.Palette
): void => {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  const rowIds = new Map<string, string>()
  const rules: Array<string> = []
  let start = 0
  const groups = frames.map(({ capture, key, seconds }, index) => {
    const uses = StyledScreen.parse(capture).flatMap((cells, row) => {
      const drawn = drawRow(cells, palette)
      if (drawn === "") return []
      const id = rowIds.get(drawn) ?? `r${rowIds.size}`
      rowIds.set(drawn, id)
      return [`<use href="#${id}" y="${PADDING + row * ROW_HEIGHT}"/>`]
    })
    const percent = (time: number) => `${((time / total) * 100).toFixed(3)}%`
    rules.push(
      `@keyframes k${index}{0%{visibility:hidden}${percent(start)}{visibility:visible}${percent(start + seconds)}{visibility:hidden}100%{visibility:hidden}}`
    )
    start += seconds
    const keyLine = `<text x="${PADDING}" y="${PADDING + size.rows * ROW_HEIGHT + 20}" fill="${palette.foreground}" opacity=".7">${ScreenImage.escape(key)}</text>`
    return `<g style="visibility:hidden;animation:k${index} ${total}s step-end infinite">${uses.join("")}${key === "" ? "" : keyLine}</g>`
  })
  const width = Math.ceil(size.columns * CELL_WIDTH + 2 * PADDING)
  const height = size.rows * ROW_HEIGHT + 2 * PADDING + KEY_HEIGHT
  const defs = [...rowIds].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`)
  writeFileSync(
    path,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="${FONT_SIZE}">
<style>${rules.join("")}text{white-space:pre}</style>
<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>
<defs>${defs.join("\n")}</defs>
${groups.join("\n")}
</svg>
`
  )
}

const drawRow = (cells: ReadonlyArray<Cell>, palette: Palette.Palette): string =>
  ScreenImage.runs(cells)
    .map(({ column, style, text, width }) => {
      const x = round(PADDING + column * CELL_WIDTH)
      const length = round(width * CELL_WIDTH)
      const foreground = ScreenImage.css(style.foreground, palette.foreground, palette)
      const background = ScreenImage.css(style.background, palette.background, palette)
      const [ink, paper] = style.isInverse ? [background, foreground] : [foreground, background]
      const rect =
        style.isInverse || style.background !== undefined
          ? `<rect x="${x}" width="${length}" height="${ROW_HEIGHT}" fill="${paper}"/>`
          : ""
      if (text.trim() === "") return rect
      const attributes = [
        `x="${x}" y="13" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${ink}"`,
        style.isBold ? 'font-weight="bold"' : "",
        style.isDim ? 'opacity=".6"' : "",
        style.isItalic ? 'font-style="italic"' : "",
        style.isUnderlined ? 'text-decoration="underline"' : ""
      ].filter((attribute) => attribute !== "")
      return `${rect}<text ${attributes.join(" ")}>${ScreenImage.escape(text)}</text>`
    })
    .join("")

const round = (value: number): number => Math.round(value * 100) / 100
