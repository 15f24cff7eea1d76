/**
 * Matches the patterns of rules with RE2, whose time is linear in the text, so that a malicious pattern cannot block the
 * forge. Loads the library on first use.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Pattern } from "@tongs/core/contract/groups/Rules"

/** The regular expression is invalid or not supported by RE2. */
export class InvalidPattern extends Schema.TaggedError<InvalidPattern>()("InvalidPattern", {
  pattern: Schema.String,
  detail: Schema.String
}) {}

/** Maximum length of a pattern in characters. */
export const MAX_PATTERN_LENGTH = 1000

/** Maximum number of instructions of a compiled pattern. */
const MAX_PROGRAM_SIZE = 2000

/** Maximum product of program instructions and text characters, about 50 ms. Longer texts are cut off. */
const MAX_MATCH_STEPS = 4_000_000

/** Maximum number of cached regular expressions. */
const MAX_COMPILED = 500

interface Expression {
  /** True if the expression matches anywhere in the text. */
  readonly find: (text: string) => boolean
}

const compiled = new Map<string, Expression>()

/** Compiles and caches a regular expression. Fails with `InvalidPattern`. */
export const compile = Effect.fnUntraced(function* (source: string) {
  const known = compiled.get(source)
  if (known !== undefined) return known
  const { RE2JS } = yield* Effect.promise(() => import("re2js"))
  const expression = yield* Effect.try({
    try: () => {
      const compiled = RE2JS.compile(source)
      if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new Error("the compiled pattern is too large")
      return compiled
    },
    catch: (cause) =>
      new InvalidPattern({
        pattern: source.slice(0, MAX_PATTERN_LENGTH),
        detail: cause instanceof Error ? cause.message : String(cause)
      })
  })
  const visible = Math.floor(MAX_MATCH_STEPS / expression.programSize())
  const result: Expression = {
    find: (text) => expression.matcher(text.slice(0, visible)).find()
  }
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(source, result)
  return result
})

/** True if a text satisfies the pattern of a rule. False for an invalid expression. */
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
        // Lets other fibers run before the caller tests the next text.
        Effect.tap(Effect.yieldNow),
        Effect.orElseSucceed(() => false)
      )
  }
})
