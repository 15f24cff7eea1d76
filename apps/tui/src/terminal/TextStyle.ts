/** The style of a terminal cell, and the shortest SGR sequence from one style to another. */

/** Colors are SGR parameters, such as `31` or `38;5;243`; empty for the default color. Attributes are a bit set. */
export interface TextStyle {
  readonly foreground: string
  readonly background: string
  readonly attributes: number
}

/** The default colors without attributes. */
export const plain: TextStyle = { foreground: "", background: "", attributes: 0 }

/** SGR parameters that set and reset each attribute, in the order of the bits. */
const attributes = [
  ["1", "22"],
  ["2", "22"],
  ["3", "23"],
  ["4", "24"],
  ["5", "25"],
  ["7", "27"],
  ["8", "28"],
  ["9", "29"]
] as const // pairs

/** Applies the parameters of an SGR sequence. Ignores unknown parameters. */
export const apply = (self: TextStyle, parameters: string): TextStyle => {
  let { attributes: bits, background, foreground } = self
  const codes = parameters.replaceAll(":", ";").split(";")
  for (let index = 0; index < codes.length; index++) {
    const code = Number(codes[index])
    if (code === 38 || code === 48) {
      const length = codes[index + 1] === "5" ? 3 : 5
      const color = codes.slice(index, index + length).join(";")
      if (code === 38) foreground = color
      else background = color
      index += length - 1
    } else if (code === 0) [foreground, background, bits] = ["", "", 0]
    else if (code === 39) foreground = ""
    else if (code === 49) background = ""
    else if ((code >= 30 && code < 38) || (code >= 90 && code < 98)) foreground = String(code)
    else if ((code >= 40 && code < 48) || (code >= 100 && code < 108)) background = String(code)
    else
      for (const [bit, [on, off]] of attributes.entries()) {
        if (code === Number(on)) bits |= 1 << bit
        else if (code === Number(off)) bits &= ~(1 << bit)
      }
  }
  return { foreground, background, attributes: bits }
}

/** Returns the shortest SGR sequence that changes the style of a terminal; empty if the styles are equal. */
export const transition = (from: TextStyle, to: TextStyle): string => {
  const codes: Array<string> = []
  const removed = from.attributes & ~to.attributes
  // Bold and dim are reset together.
  let kept = from.attributes
  for (const [bit, [, off]] of attributes.entries()) {
    if ((removed & (1 << bit)) === 0) continue
    kept &= off === "22" ? ~3 : ~(1 << bit)
    if (!codes.includes(off)) codes.push(off)
  }
  codes.push(...set(to.attributes & ~kept))
  if (from.foreground !== to.foreground) codes.push(to.foreground === "" ? "39" : to.foreground)
  if (from.background !== to.background) codes.push(to.background === "" ? "49" : to.background)
  if (codes.length === 0) return ""
  const changed = codes.join(";")
  // Ink does not recognize the reset without a parameter.
  const restarted = ["0", ...set(to.attributes), to.foreground, to.background].filter((code) => code !== "").join(";")
  return `\u001b[${restarted.length < changed.length ? restarted : changed}m`
}

const set = (bits: number) => attributes.flatMap(([on], bit) => ((bits & (1 << bit)) > 0 ? [on] : []))
