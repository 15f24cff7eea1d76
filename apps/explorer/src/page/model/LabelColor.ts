/** Readable text on the color of a label, which can be any color. */

/** Relative luminance at which black and white text have the same contrast, at least 4.5:1. */
const MIDDLE = 0.179

/** Returns the colors of a label in CSS. Undefined for a label without a valid color. */
export const of = (color: string | null): { readonly backgroundColor: string; readonly color: string } | undefined => {
  if (color === null || !/^[\da-f]{6}$/i.test(color)) return undefined
  return { backgroundColor: `#${color}`, color: luminance(color) > MIDDLE ? "#000000" : "#ffffff" }
}

/** Relative luminance as defined by WCAG 2, from 0 to 1. */
export const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
