/** Globs with `*`, `**`, `?` and `{a,b}` that match a whole path, ignoring case. */
import * as Fold from "./Fold.ts"

/**
 * Compiles a glob to a test. Its time grows with the product of the lengths, while a regular expression with many `*`
 * can take exponential time.
 */
export const make = (glob: string): ((text: string) => boolean) => {
  if ((glob.match(/\*+/g) ?? []).length > maxFastStars) return machine(glob)
  const fast = new RegExp(source(glob), "isu")
  let slow: ((text: string) => boolean) | undefined
  return (text) => (text.length <= maxFastLength ? fast.test(text) : (slow ??= machine(glob))(text))
}

/** Returns the glob as a regular expression, for an engine that takes linear time. */
export const source = (glob: string): string => `^${glob.replace(token, translate)}$`

/** Up to these, a regular expression takes at most half a million steps, and usually a few hundred. */
const maxFastStars = 3
const maxFastLength = 128

const token = /\*\*\/|\*\*|\*|\?|\{[^{}]*\}|[^*?{]+|\{/g

const isChoice = (part: string) => part.startsWith("{") && part.endsWith("}")

const choicesOf = (part: string): ReadonlyArray<string> => part.slice(1, -1).split(",")

const translate = (part: string): string => {
  switch (part) {
    case "**/":
      return "(?:.*/)?"
    case "**":
      return ".*"
    case "*":
      return "[^/]*"
    case "?":
      return "[^/]"
    default:
      return isChoice(part)
        ? `(?:${choicesOf(part)
            .map((one) => one.replace(token, translate))
            .join("|")})`
        : RegExp.escape(part)
  }
}

const slash = 0x2f

/** A state of the machine: it reads a character, or goes on to other states without one. */
type State =
  | { readonly _tag: "Character"; readonly code: number }
  | { readonly _tag: "NoSlash" | "ManyNoSlash" | "Many" }
  | { readonly _tag: "Split"; readonly to: Array<number> }

/** Follows all states at once, as grep does. */
const machine = (glob: string): ((text: string) => boolean) => {
  const states: Array<State> = []
  const characters = (text: string) => {
    for (const one of text) states.push({ _tag: "Character", code: one.codePointAt(0) ?? 0 })
  }
  /** Adds the states of a glob. Returns the length of the shortest text that it matches. */
  const add = (part: string): number =>
    (part.match(token) ?? []).reduce((sum, one) => {
      if (one === "**/") {
        const to = [states.length + 1, states.length + 3]
        states.push({ _tag: "Split", to }, { _tag: "Many" }, { _tag: "Character", code: slash })
        return sum
      }
      if (one === "**" || one === "*") {
        states.push({ _tag: one === "*" ? "ManyNoSlash" : "Many" })
        return sum
      }
      if (one === "?") {
        states.push({ _tag: "NoSlash" })
        return sum + 1
      }
      if (isChoice(one)) return sum + addChoice(choicesOf(one))
      characters(one)
      return sum + one.length
    }, 0)
  const addChoice = (choices: ReadonlyArray<string>): number => {
    const start: Array<number> = []
    const end: Array<number> = []
    states.push({ _tag: "Split", to: start })
    const lengths = choices.map((choice) => {
      start.push(states.length)
      const length = add(choice)
      states.push({ _tag: "Split", to: end })
      return length
    })
    end.push(states.length)
    return Math.min(...lengths)
  }
  const minLength = add(Fold.fold(glob))
  const last = states.length

  /** Position of the text at which each state was reached last. */
  const reached = new Int32Array(last + 1)
  let current: Array<number> = []
  let next: Array<number> = []
  const reach = (first: number, at: number): void => {
    const open = [first]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (reached[index] === at) continue
      reached[index] = at
      const state = states[index]
      if (state?._tag === "Split") {
        open.push(...state.to)
        continue
      }
      next.push(index)
      if (state?._tag === "Many" || state?._tag === "ManyNoSlash") open.push(index + 1)
    }
  }
  const read = (index: number, code: number, at: number): void => {
    const state = states[index]
    switch (state?._tag) {
      case "Character":
        return state.code === code ? reach(index + 1, at) : undefined
      case "NoSlash":
        return code === slash ? undefined : reach(index + 1, at)
      case "ManyNoSlash":
        return code === slash ? undefined : reach(index, at)
      case "Many":
        return reach(index, at)
      default:
        return undefined
    }
  }
  return (text) => {
    if (text.length < minLength) return false
    reached.fill(0)
    next = []
    let at = 1
    reach(0, at)
    for (const character of Fold.fold(text)) {
      if (next.length === 0) return false
      at++
      ;[current, next] = [next, current]
      next.length = 0
      const code = character.codePointAt(0) ?? 0
      for (const index of current) read(index, code, at)
    }
    return reached[last] === at
  }
}
