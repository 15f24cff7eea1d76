/** YAML texts of other people, within limits: their size, aliases and depth. */
import * as Effect from "effect/Effect"

/** Maximum size in bytes, maximum aliases, and maximum depth of collections. */
export const MAX_SIZE = 524_288
const MAX_ALIASES = 100
const MAX_DEPTH = 100

/** Parses a text. Undefined for one that is not YAML or exceeds a limit. */
export const parse = Effect.fnUntraced(function* (bytes: Uint8Array) {
  if (bytes.length > MAX_SIZE) return undefined
  // Loads the library on first use, because most requests need no YAML.
  const yaml = yield* Effect.promise(() => import("yaml"))
  return yield* Effect.orElseSucceed(
    Effect.try((): unknown => {
      const parser = new yaml.Parser()
      // The parser does not recurse, so that it can measure the depth before the composer does.
      const tokens = [...new yaml.Lexer().lex(new TextDecoder().decode(bytes))].flatMap((source) => {
        const found = [...parser.next(source)]
        if (parser.stack.length > MAX_DEPTH) throw new Error("nested too deeply")
        return found
      })
      const composer = new yaml.Composer({ logLevel: "silent", uniqueKeys: false })
      const [document, ...others] = composer.compose([...tokens, ...parser.end()])
      if (document === undefined || others.length > 0 || document.errors.length > 0) return undefined
      return document.toJS({ maxAliasCount: MAX_ALIASES })
    }),
    () => undefined
  )
})
