/** The operation that an agent names, and the other arguments of the call. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { allEntries, type CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Arguments } from "../answer/Answer.ts"
import { ToolError } from "../call/ToolError.ts"
import * as OperationName from "./OperationName.ts"
import * as OperationSearch from "./OperationSearch.ts"
import * as Words from "../text/Words.ts"

/** Number of similar operations in an error. */
const MAX_SIMILAR = 4

/** Returns the operation with a name. Fails with a `ToolError` that names similar ones. */
export const entryOf = (name: string): Effect.Effect<CatalogEntry, ToolError> => {
  const found = OperationName.find(name)
  if (found !== undefined) return Effect.succeed(found)
  const near = Words.nearest(name, allEntries().map(OperationName.idOf), MAX_SIMILAR)
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

/**
 * Returns the operation with a name, and the arguments, including arguments in a path such as `GET /repos/octo/hello`.
 */
export const read = (name: string, given: Arguments) =>
  Effect.map(entryOf(name), (entry) => {
    const named: Arguments = OperationName.argumentsIn(name, entry)
    // A repository in the arguments replaces the one of the path as a whole.
    const { owner: _, repo: __, ...others } = named
    return { entry, given: { ...("repo" in given ? others : named), ...given } }
  })

const JsonObject = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

const decodeJson = Schema.decodeUnknownOption(JsonObject)

/**
 * Accepts `arguments` as JSON text and one field without a list, which some agents write. Fails with a `ToolError` for
 * arguments of the operation that are not inside `arguments`.
 */
export const normalize = (args: Arguments, names: Iterable<string>): Effect.Effect<Arguments, ToolError> => {
  const known = new Set(names)
  const others = Object.keys(args).filter((name) => !known.has(name))
  if (others.length > 0) {
    const listed = others.slice(0, MAX_SIMILAR).map((name) => JSON.stringify(name.slice(0, 60)))
    return Effect.fail(
      new ToolError({
        detail: `Unknown: ${listed.join(", ")}. Put arguments of the operation into "arguments". Known: ${[...known].join(", ")}.`
      })
    )
  }
  const { arguments: given, fields } = args
  return Effect.succeed({
    ...args,
    ...(typeof given === "string" ? { arguments: Option.getOrElse(decodeJson(given), () => given) } : {}),
    ...(typeof fields === "string" ? { fields: fields.split(",").map((field) => field.trim()) } : {})
  })
}
