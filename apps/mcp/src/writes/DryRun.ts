/** The answer to a dry run: the request that a write would send. */
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Permission } from "@tongs/core/contract/Operation"
import type { Answer } from "../answer/Answer.ts"
import * as Truncation from "../text/Truncation.ts"
import type { WriteRequest } from "./WriteRequest.ts"

/** Facts about a write, known before sending. */
export interface Facts {
  readonly isReversible: boolean
  /** Sentence about the data or access that the write makes available to other users; undefined for other writes. */
  readonly consequence: string | undefined
  /** True if the user would be asked. */
  readonly needsConfirmation: boolean
  /** The reason why the server would not send the write. */
  readonly refusal: string | undefined
}

/** Maximum tokens per string and items per list of a body. */
const shown = { tokens: 200, items: 30 } as const // literal types

export const answer = (entry: CatalogEntry, request: WriteRequest, facts: Facts): Answer => {
  const { operation } = entry
  const { method, path } = request
  const body = Truncation.truncate(request.body, shown.tokens, shown.items)
  const permission = permissionText(operation.permission)
  const scopes = [...new Set([...operation.scopes, ...operation.privateScopes])]
  const data = {
    dry_run: true,
    operation: `${entry.group}.${entry.name}`,
    method,
    path,
    ...(body === undefined ? {} : { body }),
    reversible: facts.isReversible,
    ...(facts.consequence === undefined ? {} : { gives: facts.consequence }),
    needs_confirmation: facts.needsConfirmation,
    permission,
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(facts.refusal === undefined ? {} : { refused: facts.refusal })
  }
  const lines = [
    "Dry run: nothing was sent.",
    `${operation.summary}: ${method} ${path}`,
    ...(body === undefined ? [] : [`Body: ${JSON.stringify(body)}`]),
    operation.effect === "trigger"
      ? "It starts a process, and changes no data itself."
      : `It ${facts.isReversible ? "can" : "cannot"} be undone.`,
    ...(facts.consequence === undefined ? [] : [facts.consequence]),
    `Permission: ${permission}${scopes.length === 0 ? "" : `; scope: ${scopes.join(" or ")}`}`,
    ...outcome(facts)
  ]
  return { source: {}, items: [{ data, text: lines.join("\n") }], isThirdParty: false }
}

/** Returns whether the user would be asked, or the write refused. */
export const outcome = ({ needsConfirmation, refusal }: Facts): ReadonlyArray<string> => [
  ...(needsConfirmation ? ["The user would be asked to confirm it."] : []),
  ...(refusal === undefined ? [] : [`It would be refused: ${refusal}`])
]

/** Formats the permission that a fine-grained token needs, for example `repository contents: write`. */
const permissionText = (sets: ReadonlyArray<ReadonlyArray<Permission>> | "refused"): string => {
  if (sets === "refused") return "none; fine-grained tokens are not accepted"
  const texts = sets.map((set) =>
    set.map(({ category, level, target }) => `${target} ${category}: ${level}`).join(" and ")
  )
  return texts.filter((text) => text !== "").join(", or ") || "none"
}
