/** The highlighters of files. Grammars are loaded after the content is first shown. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Language from "@tongs/syntax/Language"
import type { SyntaxHighlighter } from "@tongs/syntax/SyntaxHighlighter"
import type { Content } from "../../content/Content.ts"
import type { Loaded } from "../../content/Source.ts"
import * as Syntax from "../../text/Syntax.ts"

/** Returns the highlighter of a file; undefined until the grammar is loaded. */
export const of = (path: string): SyntaxHighlighter | undefined => {
  const language = Language.fromPath(path)
  return language === undefined ? undefined : Language.loaded(language)
}

/** Emits content, and again after the grammars of the files have loaded. */
export const emitTwice = (paths: ReadonlyArray<string>, age: number, render: () => Content): Stream.Stream<Loaded> => {
  const missing = new Set(
    paths.flatMap((path) => {
      const language = Language.fromPath(path)
      return language === undefined || Language.loaded(language) !== undefined ? [] : [language]
    })
  )
  const first = Stream.succeed({ content: render(), age })
  if (missing.size === 0) return first
  const load = Effect.forEach(missing, Syntax.load, { discard: true })
  return Stream.concat(first, Stream.fromEffect(Effect.map(load, () => ({ content: render(), age }))))
}
