/** The escape sequences that terminals send for keys, mouse events and replies. */
import type { Event, Mouse, Rgb } from "./InputEvent.ts"

/** The events of a sequence, and the index after the sequence. Unknown sequences have no events. */
export interface Read {
  readonly events: ReadonlyArray<Event>
  readonly end: number
}

/** Reads the sequence or character at an index. Returns undefined if the sequence is incomplete. */
export const read = (input: string, index: number): Read | undefined => {
  const character = String.fromCodePoint(input.codePointAt(index) ?? 0)
  if (character === CSI) return readControl(input, index + 1)
  if (character !== ESCAPE) return { events: keys(keyOf(character)), end: index + character.length }
  const next = input[index + 1]
  switch (next) {
    case undefined:
      return undefined
    case "[":
      return readControl(input, index + 2)
    case "O":
      return readShift(input, index + 2)
    case "]":
    case "P":
    case "_":
      return readString(input, index, next)
    default:
      // Escape before another sequence or letter is a separate key. No key is bound to Alt and a letter.
      return { events: keys("escape"), end: index + 1 }
  }
}

const ESCAPE = "\u001b"
const CSI = "\u009b"

const keys = (...names: ReadonlyArray<string>): ReadonlyArray<Event> =>
  names.filter((name) => name !== "").map((name) => ({ _tag: "Key", name }))

/** The names of the control characters from 0x1b to 0x1f. */
const controls = ["escape", "ctrl-\\", "ctrl-]", "ctrl-^", "ctrl-_"]

/** Returns the name of the key for a character; empty for C1 controls. */
const keyOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (code === 9) return "tab"
  if (code === 10 || code === 13) return "enter"
  if (code === 8 || code === 127) return "backspace"
  if (code === 0) return "ctrl-space"
  if (code < 27) return `ctrl-${String.fromCodePoint(code + 96)}`
  if (code < 32) return controls[code - 27] ?? ""
  return code >= 0x80 && code < 0xa0 ? "" : character
}

/** Returns a name with modifiers from the parameter of a sequence: 1 plus shift 1, alt 2, ctrl 4. */
const modified = (name: string, parameter: number): string => {
  const bits = Math.max(0, parameter - 1)
  return `${(bits & 4) > 0 ? "ctrl-" : ""}${(bits & 2) > 0 ? "alt-" : ""}${(bits & 1) > 0 ? "shift-" : ""}${name}`
}

const byLetter: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4"
}

/** The shifted arrows of rxvt. */
const byShiftedLetter: Readonly<Record<string, string>> = { a: "up", b: "down", c: "right", d: "left" }

const byNumber: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  ...Object.fromEntries(
    [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24].map((number, index) => [number, `f${index + 1}`])
  )
}

/** The keypad in application mode, after `ESC O`. */
const KEYPAD = "*+,-./0123456789"

/** Reads after `ESC O`: arrows and function keys in application mode, and the keypad. */
const readShift = (input: string, start: number): Read | undefined => {
  const match = /([\d;]*)([^\d;]?)/y
  match.lastIndex = start
  const [, parameters = "", letter = ""] = match.exec(input) ?? []
  if (letter === "") return undefined
  const end = start + parameters.length + 1
  // A control character belongs to the next key.
  if (letter < " ") return { events: [], end: end - 1 }
  if (letter === "M") return { events: keys("enter"), end }
  const name = byLetter[letter] ?? KEYPAD[letter.charCodeAt(0) - "j".charCodeAt(0)] ?? ""
  return { events: name === "" ? [] : keys(modified(name, Number(parameters.split(";").at(-1)))), end }
}

/** Reads after `ESC [`: parameters, intermediate characters, and a final character. */
const readControl = (input: string, start: number): Read | undefined => {
  // Function keys of the Linux console.
  if (input[start] === "[") {
    const letter = input[start + 1]
    if (letter === undefined) return undefined
    const name = ["f1", "f2", "f3", "f4", "f5"]["ABCDE".indexOf(letter)]
    return { events: name === undefined ? [] : keys(name), end: letter < " " ? start + 1 : start + 2 }
  }
  const match = /([0-?]*)([ -/]*)/y
  match.lastIndex = start
  const [whole = "", parameters = "", intermediates = ""] = match.exec(input) ?? []
  const at = start + whole.length
  // rxvt ends the sequences of shifted keys with an intermediate character.
  if (intermediates === "$" && /^\d+$/.test(parameters)) {
    const name = byNumber[Number(parameters)]
    if (name !== undefined) return { events: keys(modified(name, 2)), end: at }
  }
  const final = input[at]
  if (final === undefined) return undefined
  // An invalid character ends the sequence, and is not part of the sequence.
  if (final < "@" || final > "~") return { events: [], end: at }
  // The three characters after the report of an old mouse protocol.
  if (final === "M" && whole === "") return input.length < at + 4 ? undefined : { events: [], end: at + 4 }
  return { events: intermediates === "" ? control(parameters, final) : [], end: at + 1 }
}

/** Returns the events of a complete sequence. */
const control = (parameters: string, final: string): ReadonlyArray<Event> => {
  if (parameters.startsWith("<")) return mouse(parameters.slice(1), final)
  if (parameters.startsWith("?")) return final === "c" ? [{ _tag: "DeviceAttributes" }] : []
  if (/^[<-?]/.test(parameters)) return []
  // Parts after a colon are details of the Kitty protocol.
  const [first = 0, second = 0, third = 0] = parameters.split(";").map((text) => Number.parseInt(text, 10) || 0)
  const isRelease = /^[^;]*;\d*:3(?:;|$)/.test(parameters)
  if (isRelease) return []
  switch (final) {
    case "~":
      if (first === 27) return keys(character(third, second))
      return keys(named(byNumber[first], second))
    case "^":
      return keys(named(byNumber[first], 5))
    case "u":
      return keys(character(first, second))
    case "Z":
      return keys("shift-tab")
    case "I":
    case "O":
      return parameters === "" ? [{ _tag: "Focus", hasFocus: final === "I" }] : []
    default:
      // Reports of the cursor's position have the same last character as F3.
      if (first > 1) return []
      return keys(named(byLetter[final], second) || named(byShiftedLetter[final], 2))
  }
}

const named = (name: string | undefined, modifiers: number): string =>
  name === undefined ? "" : modified(name, modifiers)

/** Returns the name of a key that the terminal sends as the number of a character. */
const character = (code: number, modifiers: number): string => {
  // Numbers of keys without a character, in the private use area, are not text.
  if (code < 1 || code > 0x10_ffff || (code >= 0xe000 && code <= 0xf8ff)) return ""
  const key = code === 27 ? "escape" : keyOf(String.fromCodePoint(code))
  const [only, ...more] = key
  if (only === undefined || more.length > 0) return modified(key, modifiers)
  const hasShift = (Math.max(0, modifiers - 1) & 1) > 0
  return modified(hasShift ? only.toUpperCase() : only, hasShift ? modifiers - 1 : modifiers)
}

const buttons = ["left", "middle", "right"] as const // literal types
const wheels = ["wheelUp", "wheelDown"] as const // literal types

/** Returns the event of a mouse report: bits for button and modifiers, column and row from 1. */
const mouse = (parameters: string, final: string): ReadonlyArray<Event> => {
  if (!/^\d{1,3};\d{1,5};\d{1,5}$/.test(parameters) || (final !== "M" && final !== "m")) return []
  const [bits = 0, column = 0, row = 0] = parameters.split(";").map(Number)
  const isWheel = (bits & 64) > 0
  const button: Mouse["button"] | undefined = (isWheel ? wheels : buttons)[bits & 3]
  if (button === undefined || bits >= 128 || column < 1 || row < 1 || (isWheel && final === "m")) return []
  const action = final === "m" ? "release" : (bits & 32) > 0 ? "drag" : "press"
  return [
    {
      _tag: "Mouse",
      button,
      action,
      column: column - 1,
      row: row - 1,
      shift: (bits & 4) > 0,
      alt: (bits & 8) > 0,
      ctrl: (bits & 16) > 0
    }
  ]
}

/** The character after `ESC` and the letter, by which a reply differs from two keys. */
const stringStarts = { "]": /\d/, P: /[\d;<=>?!$+|]/, _: /G/ } as const // literal types

/** Reads a reply with text, up to the terminator. */
const readString = (input: string, start: number, kind: keyof typeof stringStarts): Read | undefined => {
  const next = input[start + 2]
  if (next === undefined) return undefined
  if (!stringStarts[kind].test(next)) return { events: keys("escape"), end: start + 1 }
  // BEL or ST ends a reply. CAN, SUB and other sequences cancel a reply.
  const terminator = /[\u0007\u0018\u001a\u009c]|\u001b/g
  terminator.lastIndex = start + 2
  const end = terminator.exec(input)?.index
  if (end === undefined) return undefined
  const isEscape = input[end] === ESCAPE
  if (isEscape && input[end + 1] === undefined) return undefined
  if (isEscape && input[end + 1] !== "\\") return { events: [], end }
  const rgb = kind === "]" ? background(input.slice(start + 2, end)) : undefined
  return { events: rgb === undefined ? [] : [{ _tag: "BackgroundColor", rgb }], end: end + (isEscape ? 2 : 1) }
}

/** Returns the color in the reply `11;rgb:ffff/ffff/ffff`. A component has one to four hexadecimal digits. */
const background = (reply: string): Rgb | undefined => {
  const match = /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(reply)
  if (match === null) return undefined
  const [red = 0, green = 0, blue = 0] = match
    .slice(1)
    .map((digits) => Math.round((Number.parseInt(digits, 16) * 255) / (16 ** digits.length - 1)))
  return [red, green, blue]
}
