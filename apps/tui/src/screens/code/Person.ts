/** Short names and colors of authors, for narrow columns. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role } from "../../text/StyledLine.ts"

/** Maximum width of an author's name in columns. */
const MAX_WIDTH = 12

const roles: ReadonlyArray<Role> = ["series1", "series2", "series3", "series4"]

/** Formats the name of an author in at most 12 columns. Each name always has the same color. */
export const line = (name: string): Line => StyledLine.line(shortName(name), roleOf(name))

/** Shortens a name: `Mona Lisa Octocat` to `Mona Lisa O.`, or to the first word. */
export const shortName = (name: string): string => {
  const clean = name.trim()
  if (Terminal.width(clean) <= MAX_WIDTH) return clean
  const [first = "", ...rest] = clean.split(/\s+/)
  const last = rest.at(-1)
  const initial = last === undefined ? "" : ` ${[...last][0] ?? ""}.`
  const short = `${first}${initial}`
  return Terminal.truncate(Terminal.width(short) <= MAX_WIDTH ? short : first, MAX_WIDTH)
}

const roleOf = (name: string): Role => {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return roles[hash % roles.length] ?? "plain"
}
