/** The palette: all screens and actions that are available here, found by typing. */
import * as FuzzyMatch from "../text/FuzzyMatch.ts"
import type { OperationAction } from "../actions/Operations.ts"
import type { CommandId } from "../actions/KeyBindings.ts"
import type { Route } from "../content/Route.ts"
import type { Screen } from "../screens/Screen.ts"

/** The effect of choosing an item. */
export type Choice =
  | { readonly _tag: "Command"; readonly command: CommandId }
  | { readonly _tag: "Operation"; readonly action: OperationAction }
  | { readonly _tag: "Route"; readonly route: Route }
  /** Opens a screen after asking for missing arguments. */
  | { readonly _tag: "Screen"; readonly screen: Screen }
  | { readonly _tag: "Profile"; readonly name: string }
  | { readonly _tag: "Copy"; readonly text: string }

export interface Item {
  readonly label: string
  /** The target, place or group, which distinguishes the item from items with the same label. */
  readonly detail: string
  /** Further words that find the item, separated by commas. */
  readonly words?: string
  /** The id of the operation, screen or command, which finds the item, too. */
  readonly id?: string
  /** True for an operation or a screen of the API for which people have no words. Such items are found last. */
  readonly isOfApi?: boolean
  /** True if the item was chosen recently. */
  readonly isRecent?: boolean
  /** The key that does the same; empty without a key. */
  readonly key: string
  /** The reason why the item cannot be chosen. */
  readonly unavailable: string | undefined
  readonly choice: Choice
}

/** How well an item matches, from the best. An item of the API matches worse than each other item. */
const quality = { whole: 0, start: 2, phrase: 4, starts: 6, parts: 8, letters: 10, api: 12 } as const // literal ranks

/** Added to the quality of an item that cannot be chosen now. */
const UNAVAILABLE = 3

/**
 * Returns the items that match the text, best first: by the whole label or a whole further word, by its start, by the
 * starts of words, by parts of words, and last by letters of the label. In equal matches, recent items are first.
 */
export const filter = (items: ReadonlyArray<Item>, text: string): ReadonlyArray<Item> => {
  const wanted = text.trim().toLowerCase().replace(/\s+/g, " ")
  if (wanted === "")
    return items.toSorted((a, b) => Number(a.unavailable !== undefined) - Number(b.unavailable !== undefined))
  const found = items.flatMap((item) => {
    const rank = rankOf(item, wanted)
    return rank === undefined ? [] : [{ item, rank }]
  })
  return found.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item)
}

const rankOf = (item: Item, wanted: string): number | undefined => {
  const match = matchOf(item, wanted)
  if (match === undefined) return undefined
  const isExact = item.id?.toLowerCase() === wanted || item.label.toLowerCase() === wanted
  return (
    match +
    (item.unavailable === undefined ? 0 : UNAVAILABLE) +
    (item.isOfApi === true && !isExact ? quality.api : 0) +
    (item.isRecent === true ? 0 : 0.5)
  )
}

/** Minimum length of a part inside of a word. Shorter parts occur in most texts. */
const MIN_PART = 3

/** Words between the words that count, as in `list the tags`. */
const fillers: ReadonlySet<string> = new Set(["a", "an", "the", "of", "to", "in", "my", "this", "it"])

const withoutFillers = (text: string): string =>
  text
    .split(" ")
    .filter((word) => !fillers.has(word))
    .join(" ")

const matchOf = ({ detail, id = "", label, words = "" }: Item, text: string): number | undefined => {
  const wanted = withoutFillers(text)
  if (wanted === "") return undefined
  const name = withoutFillers(label.toLowerCase())
  const phrases = [...words.toLowerCase().split(", ").map(withoutFillers), id.toLowerCase()].filter(
    (phrase) => phrase !== ""
  )
  if (name === wanted) return quality.whole
  if (phrases.includes(wanted)) return quality.whole + 1
  if (name.startsWith(wanted)) return quality.start
  if (startsWord(name, wanted)) return quality.start + 1
  if (phrases.some((phrase) => startsWord(phrase, wanted))) return quality.phrase
  const all = `${name} ${phrases.join(" ")} ${detail.toLowerCase()}`
  const parts = wanted.split(" ")
  if (parts.every((part) => startsWord(all, part))) return quality.starts
  if (parts.every((part) => (part.length < MIN_PART ? startsWord(all, part) : all.includes(part)))) return quality.parts
  return isAbbreviation(label, wanted) ? quality.letters : undefined
}

/** Returns whether a word of the text starts with the wanted text. */
const startsWord = (text: string, wanted: string): boolean => {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true
  return false
}

/** Returns whether the letters are starts of words of a label, in order: `lwh` for `List webhooks`. */
const isAbbreviation = (label: string, wanted: string): boolean => {
  const positions = FuzzyMatch.match(wanted, label)?.positions
  return (
    positions !== undefined &&
    positions.every(
      (at, index) => positions[index - 1] === at - 1 || at === 0 || !/[\p{L}\p{N}]/u.test(label.charAt(at - 1))
    )
  )
}

/** Returns the id of a choice, for the list of recent choices in the session. */
export const idOf = (choice: Choice): string => {
  switch (choice._tag) {
    case "Command":
      return choice.command
    case "Operation":
      return choice.action.values === undefined
        ? `${choice.action.entry.group}.${choice.action.entry.name}`
        : choice.action.label
    case "Route":
      return choice.route.screen
    case "Screen":
      return choice.screen.id
    case "Profile":
      return `profile ${choice.name}`
    case "Copy":
      return "copy"
  }
}

/** Maximum number of recent choices. */
const MAX_RECENT = 12

/** Adds a choice to the recent choices, of which the first element is the latest. */
export const remember = (recent: ReadonlyArray<string>, choice: Choice): ReadonlyArray<string> =>
  [idOf(choice), ...recent.filter((id) => id !== idOf(choice))].slice(0, MAX_RECENT)
