/** The operation that an agent names. */
import * as Effect from "effect/Effect"
import { type CatalogEntry, entries } from "@tongs/core/contract/Catalog"
import { ToolError } from "../call/ToolError.ts"
import * as OperationName from "./OperationName.ts"
import * as OperationSearch from "./OperationSearch.ts"
import * as Words from "./Words.ts"

/** Number of similar operations in an error. */
const MAX_SIMILAR = 4

/** Returns the operation with a name. Fails with a `ToolError` that names similar ones. */
export const entryOf = (name: string): Effect.Effect<CatalogEntry, ToolError> => {
  const found = OperationName.find(name)
  if (found !== undefined) return Effect.succeed(found)
  const near = Words.nearest(name, entries.map(OperationName.idOf), MAX_SIMILAR)
  const similar = near.length > 0 ? near : OperationSearch.search(name).slice(0, MAX_SIMILAR).map(OperationName.idOf)
  return Effect.fail(
    new ToolError({
      detail: [
        `Unknown operation ${JSON.stringify(name.slice(0, 100))}.`,
        similar.length === 0 ? "" : `Similar: ${similar.join(", ")}.`,
        "find_operation searches all of them."
      ]
        .filter((part) => part !== "")
        .join(" ")
    })
  )
}
