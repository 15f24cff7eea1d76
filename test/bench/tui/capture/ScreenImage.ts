/** Draws captured screens as PNG files in Chromium. */
import type { Browser } from "playwright-core"
import * as Palette from "./Palette.ts"
import type { Cell, Color, Style } from "./StyledScreen.ts"
import * as StyledScreen from "./StyledScreen.ts"

/**
 * Whole pixels, so that neighbouring backgrounds have no seam. DejaVu Sans Mono has characters of this width at this
 * size.
 */
const CELL_WIDTH = 10
const FONT_SIZE = 16.61
const ROW_HEIGHT = 19
const PADDING = 12

/** Pixels of the image per CSS pixel. */
const SCALE = 1.5

/** Writes a PNG file of the output of `tmux capture-pane -e`. */
export const write = async (
  browser: Browser,
  path: string,
  capture: string,
  columns: number,
  palette: Palette.Palette
): Promise<void> => {
  const page = await browser.newPage({ deviceScaleFactor: SCALE })
  await page.setContent(html(StyledScreen.parse(capture), columns, palette))
  await page.evaluate(() => document.fonts.ready)
  await page.locator("main").screenshot({ path })
  await page.close()
}

/** Escapes text for HTML and SVG. */
export const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const html = (rows: ReadonlyArray<ReadonlyArray<Cell>>, columns: number, palette: Palette.Palette) => `<!doctype html>
<meta charset="utf-8">
<style>
  main {
    position: relative; box-sizing: content-box; padding: ${PADDING}px;
    width: ${columns * CELL_WIDTH}px; height: ${rows.length * ROW_HEIGHT}px;
    font: ${FONT_SIZE}px/${ROW_HEIGHT}px "DejaVu Sans Mono", "Noto Sans Mono CJK SC", "Noto Color Emoji", monospace;
    font-variant-ligatures: none; white-space: pre;
    color: ${palette.foreground}; background: ${palette.background};
  }
  body { margin: 0 } main { display: inline-block }
  span { position: absolute; height: ${ROW_HEIGHT}px }
</style>
<main>${rows
  .map((cells, row) =>
    runs(cells)
      .map((run) => span(run, row, palette))
      .join("")
  )
  .join("\n")}</main>`

/**
 * Joins neighbouring ASCII characters of one style. All further characters keep separate cells, because glyphs can be
 * wider.
 */
export const runs = (cells: ReadonlyArray<Cell>): ReadonlyArray<Cell> => {
  const joined: Array<Cell> = []
  for (const cell of cells) {
    const last = joined.at(-1)
    if (last?.style === cell.style && isAscii(last.text) && isAscii(cell.text))
      joined[joined.length - 1] = { ...last, text: last.text + cell.text, width: last.width + cell.width }
    else joined.push(cell)
  }
  return joined
}

const isAscii = (text: string) => /^[ -~]+$/.test(text)

/** Returns a color of a screen as CSS. */
export const css = (color: Color, fallback: string, palette: Palette.Palette) =>
  typeof color === "number" ? Palette.indexed(palette, color) : (color ?? fallback)

const span = ({ column, style, text, width }: Cell, row: number, palette: Palette.Palette) => {
  const declarations = [
    `left:${PADDING + column * CELL_WIDTH}px`,
    `top:${PADDING + row * ROW_HEIGHT}px`,
    `width:${width * CELL_WIDTH}px`,
    ...decorations(style, palette)
  ]
  return `<span style="${declarations.join(";")}">${escape(text)}</span>`
}

const decorations = (style: Style, palette: Palette.Palette): ReadonlyArray<string> => {
  const text = css(style.foreground, palette.foreground, palette)
  const behind = css(style.background, palette.background, palette)
  const lines = [style.isUnderlined ? "underline" : "", style.isStruck ? "line-through" : ""].join(" ").trim()
  return [
    `color:${style.isInverse ? behind : text}`,
    style.isInverse || style.background !== undefined ? `background:${style.isInverse ? text : behind}` : "",
    style.isBold ? "font-weight:bold" : "",
    style.isDim ? "opacity:.6" : "",
    style.isItalic ? "font-style:italic" : "",
    lines === "" ? "" : `text-decoration:${lines}`
  ].filter((declaration) => declaration !== "")
}
