/** Colors with the contrast as defined by WCAG, and the 256 colors of terminals. */
import type { Rgb } from "../terminal/InputEvent.ts"

/** Returns the color of `#rrggbb`. */
export const hex = (text: string): Rgb => [component(text, 1), component(text, 3), component(text, 5)]

const component = (text: string, at: number) => Number.parseInt(text.slice(at, at + 2), 16)

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

/** Returns a color between two: 0 is `from`, 1 is `to`. */
export const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [part(0), part(1), part(2)]
}

/** Returns the relative luminance, from 0 for black to 1 for white. */
const luminance = (color: Rgb): number => {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Returns the contrast of two colors, from 1 to 21. Text is readable from 4.5. */
export const contrast = (one: Rgb, other: Rgb): number => {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/** True if white text is more readable on a background than black text. */
export const isDark = (background: Rgb): boolean => contrast(white, background) >= contrast(black, background)

/** Steps from a color to white or black. */
const STEPS = 40

/** Returns the color, or the nearest lighter or darker color with at least this contrast on a background. */
export const readable = (color: Rgb, background: Rgb, least: number): Rgb => {
  const strongest = isDark(background) ? white : black
  for (let step = 0; step < STEPS; step++) {
    const candidate = mix(color, strongest, step / STEPS)
    if (contrast(candidate, background) >= least) return candidate
  }
  return strongest
}

const levels = [0, 95, 135, 175, 215, 255] as const // a fixed list

/** The colors from 16 to 255: a cube, then a ramp of gray. The first 16 depend on the terminal. */
const fixedColors: ReadonlyArray<Rgb> = [
  ...levels.flatMap((red) => levels.flatMap((green) => levels.map((blue): Rgb => [red, green, blue]))),
  ...Array.from({ length: 24 }, (_, index): Rgb => [8 + index * 10, 8 + index * 10, 8 + index * 10])
]

/** Returns the color of a number from 16 to 255. */
export const ofNumber = (number: number): Rgb => fixedColors[number - 16] ?? black

/** Returns the number of the nearest of the 256 colors with at least this contrast on a background, if possible. */
export const nearestNumber = (color: Rgb, background: Rgb, least: number): number => {
  const wanted = readable(color, background, least)
  let best = isDark(background) ? 231 : 16
  let smallest = Number.POSITIVE_INFINITY
  for (const [index, candidate] of fixedColors.entries()) {
    if (contrast(candidate, background) < least) continue
    const distance = (candidate[0] - wanted[0]) ** 2 + (candidate[1] - wanted[1]) ** 2 + (candidate[2] - wanted[2]) ** 2
    if (distance < smallest) [smallest, best] = [distance, index + 16]
  }
  return best
}
