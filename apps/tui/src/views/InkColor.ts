/** Colors of the theme in the notation of Ink. */
import type { TextStyle } from "../terminal/TextStyle.ts"

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

/** Converts a foreground or background of a style. Undefined for the default color. */
export const of = (color: TextStyle["foreground"]): string | undefined => {
  const [kind = "", model, ...values] = color.split(";")
  if (kind === "") return undefined
  if (model === "2") return `rgb(${values.join(", ")})`
  if (model === "5") return `ansi256(${values[0] ?? ""})`
  const number = Number(kind) % 10
  return Number(kind) >= 90 ? `${names[number] ?? ""}Bright` : names[number]
}
