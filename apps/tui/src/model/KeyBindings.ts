/** Maps keys to commands. */
import type { Key } from "ink"

/** Commands with their keys. Inside prompts, keys are text. */
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
  ["nextSection", ["]"]],
  ["previousSection", ["["]],
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
] as const // literal types

/** An action that the user can trigger with a key. */
export type Command = (typeof commands)[number][0]

const byKey = new Map<string, Command>()
for (const [command, keys] of commands) for (const key of keys) byKey.set(key, command)

/** Returns the command for the name of a key. */
export const commandFor = (key: string): Command | undefined => byKey.get(key)

const specialKeys = [
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
  // Most terminals send a code for the backspace key that Ink names `delete`.
  ["delete", "backspace"]
] as const // literal types

const cursorKeys = ["upArrow", "downArrow", "leftArrow", "rightArrow", "pageUp", "pageDown", "home", "end"] as const // literal types

const controls: Readonly<Record<string, string>> = { "\r": "enter", "\n": "enter", "\t": "tab" }

/** Returns the names of the keys in one Ink event, such as `j`, `ctrl-d`, `enter`. One event can contain many keys. */
export const keyNames = (input: string, key: Key): ReadonlyArray<string> => {
  // Ink reports Escape and the next key in one read as Alt and that key. No command uses Alt.
  if (key.meta && !cursorKeys.some((flag) => key[flag])) return ["escape", ...keyNames(input, { ...key, meta: false })]
  for (const [flag, name] of specialKeys) if (key[flag]) return [name]
  if (key.tab) return [key.shift ? "shift-tab" : "tab"]
  if (key.ctrl) return [`ctrl-${input}`]
  return [...input].map((character) => controls[character] ?? character)
}
