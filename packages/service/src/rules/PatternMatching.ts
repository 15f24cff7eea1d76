/**
 * Patterns that people write in rules. They run as RE2 does, in time that grows with the text only, whatever the
 * pattern: a hostile one cannot hold up the forge. The library is loaded with the first of them.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Pattern } from "@tongs/core/contract/Rules"

/** RE2 does not take the pattern. */
export class InvalidPattern extends Schema.TaggedError<InvalidPattern>()("BadPattern", {
  pattern: Schema.String,
  detail: Schema.String
}) {}

/** Characters of a pattern. */
export const maxPatternLength = 1000

/** Instructions that a pattern is compiled to. */
const maxProgramSize = 2000

/** Instructions times characters of one match, about 50 ms: the larger the pattern, the less of a text it sees. */
const maxMatchSteps = 4_000_000

/** Expressions that are kept compiled. */
const maxCompiled = 500

interface Expression {
  /** Somewhere in the text. */
  readonly find: (text: string) => boolean
  readonly matches: (text: string) => boolean
}

const compiled = new Map<string, Expression>()

/** The expression, or what is wrong with it. */
export const compile = Effect.fnUntraced(function* (source: string) {
  const known = compiled.get(source)
  if (known !== undefined) return known
  const { RE2JS } = yield* Effect.promise(() => import("re2js"))
  const expression = yield* Effect.try({
    try: () => {
      const compiled = RE2JS.compile(source)
      if (compiled.programSize() > maxProgramSize) throw new Error("it is too large")
      return compiled
    },
    catch: (cause) =>
      new InvalidPattern({
        pattern: source.slice(0, maxPatternLength),
        detail: cause instanceof Error ? cause.message : String(cause)
      })
  })
  const visible = Math.floor(maxMatchSteps / expression.programSize())
  const made: Expression = {
    find: (text) => expression.matcher(text.slice(0, visible)).find(),
    matches: (text) => expression.matcher(text.slice(0, visible)).matches()
  }
  if (compiled.size >= maxCompiled) compiled.clear()
  compiled.set(source, made)
  return made
})

/** Whether a text is as the rule wants it. An expression that cannot be read wants nothing that there is. */
export const accepts = Effect.fnUntraced(function* ({ negate = false, operator, pattern }: Pattern, text: string) {
  switch (operator) {
    case "starts_with":
      return text.startsWith(pattern) !== negate
    case "ends_with":
      return text.endsWith(pattern) !== negate
    case "contains":
      return text.includes(pattern) !== negate
    case "regex":
      return yield* compile(pattern).pipe(
        Effect.map((expression) => expression.find(text) !== negate),
        // Others get their turn between one text and the next.
        Effect.tap(Effect.yieldNow),
        Effect.orElseSucceed(() => false)
      )
  }
})

/** Whether one of the shell patterns (`release/*`, `fix-?`) is the text. `*` stops at slashes. */
export const matchesAnyGlob = Effect.fnUntraced(function* (globs: ReadonlyArray<string>, text: string) {
  for (const glob of globs) {
    const matches = yield* compile(globSource(glob)).pipe(
      Effect.map((expression) => expression.matches(text)),
      Effect.orElseSucceed(() => false)
    )
    if (matches) return true
  }
  return false
})

const token = /\*\*\/|\*+|\?|\[[!^]?\]?[^\]]*\]|\\[^]|[^]/g

/** A shell pattern as a regular expression. */
export const globSource = (glob: string): string =>
  glob.replace(token, (part) => {
    if (part === "**/") return "(?:[^/]+/)*"
    if (part.startsWith("*")) return "[^/]*"
    if (part === "?") return "[^/]"
    if (part.startsWith("[") && part.length > 2) {
      const inside = part.slice(1, -1)
      const negated = /^[!^]/.test(inside)
      return `[${negated ? "^/" : ""}${inside.slice(negated ? 1 : 0).replace(/[\\[\]^&]/g, "\\$&")}]`
    }
    return escape(part.startsWith("\\") && part.length > 1 ? part.slice(1) : part)
  })

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
