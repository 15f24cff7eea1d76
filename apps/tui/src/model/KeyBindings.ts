/** From what a terminal sends to what a person means. */
import type { Key } from "ink"

/** The keys outside of prompts, by command. */
const commands = [
  ["down", ["j", "down", "ctrl-n"]],
  ["up", ["k", "up", "ctrl-p"]],
  ["halfDown", ["ctrl-d"]],
  ["halfUp", ["ctrl-u"]],
  ["pageDown", ["pagedown", "ctrl-f", " "]],
  ["pageUp", ["pageup", "ctrl-b"]],
  ["top", ["g", "home"]],
  ["bottom", ["G", "end"]],
  ["left", ["left"]],
  ["right", ["right"]],
  ["open", ["enter", "l"]],
  ["back", ["escape", "h", "backspace"]],
  ["nextTab", ["tab"]],
  ["previousTab", ["shift-tab"]],
  ["slash", ["/"]],
  ["filter", ["f"]],
  ["search", ["s"]],
  ["nextPart", ["]"]],
  ["previousPart", ["["]],
  ["next", ["n"]],
  ["previous", ["N"]],
  ["refresh", ["r"]],
  ["copy", ["y"]],
  ["browse", ["o"]],
  ["help", ["?"]],
  ["quit", ["q"]],
  ["interrupt", ["ctrl-c"]],
  ["tab1", ["1"]],
  ["tab2", ["2"]],
  ["tab3", ["3"]],
  ["tab4", ["4"]],
  ["tab5", ["5"]]
] as const // the names must stay literals

export type Command = (typeof commands)[number][0]

const byKey = new Map<string, Command>()
for (const [command, keys] of commands) for (const key of keys) byKey.set(key, command)

export const commandFor = (key: string): Command | undefined => byKey.get(key)

const named = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageDown", "pagedown"],
  ["pageUp", "pageup"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  // Most terminals send for the backspace key what Ink calls delete.
  ["delete", "backspace"]
] as const // the names must stay literals

const moves = ["upArrow", "downArrow", "leftArrow", "rightArrow", "pageUp", "pageDown", "home", "end"] as const // literals

const controls: Readonly<Record<string, string>> = { "\r": "enter", "\n": "enter", "\t": "tab" }

/**
 * The names of the keys that one event of Ink stands for: `j`, `ctrl-d`, `enter`. Keys that were pressed faster than
 * they were read arrive together.
 */
export const keyNames = (input: string, key: Key): ReadonlyArray<string> => {
  // Escape and the next key in one read look like Alt and that key; nothing here is on Alt.
  if (key.meta && !moves.some((flag) => key[flag])) return ["escape", ...keyNames(input, { ...key, meta: false })]
  for (const [flag, name] of named) if (key[flag]) return [name]
  if (key.tab) return [key.shift ? "shift-tab" : "tab"]
  if (key.ctrl) return [`ctrl-${input}`]
  return [...input].map((character) => controls[character] ?? character)
}
