/** Terms of the index for the symbols of a document. */
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import * as Terms from "../text/Terms.ts"

/** Returns the terms of symbols, one per symbol. */
export const of = (symbols: ReadonlyArray<CodeSymbol>): ReadonlyArray<number> =>
  symbols.map(({ declaration, kind, name }) =>
    kind === "field" || declaration === true ? Terms.ofSecondaryName(name) : Terms.ofName(name)
  )
