/**
 * The question before a call that cannot be undone or makes data available to other users, and the description of a
 * request for a person.
 */
import type * as SchemaAST from "effect/SchemaAST"
import { type CatalogEntry, payloadSchema } from "@tongs/core/contract/CatalogEntry"
import * as Presentation from "@tongs/core/contract/Presentation"
import { sanitizeText } from "../text/SafeText.ts"
import * as Truncation from "../text/Truncation.ts"
import type { WriteRequest } from "./WriteRequest.ts"

/** Maximum number of characters of an argument or path, so that a question has room for all arguments. */
const MAX_LENGTH = 200

/** Maximum number of arguments, counting the members of objects. */
const MAX_ARGUMENTS = 40

/** Maximum depth of an object whose members are listed. */
const MAX_DEPTH = 4

/** Facts about a call that a person has to know. */
export interface Facts {
  readonly isReversible: boolean
  /** Sentence about the data or access that the call makes available to other users; undefined for other calls. */
  readonly consequence: string | undefined
  /** Name of the forge. */
  readonly label: string
}

/** Returns a body with the secrets hidden, because questions can be shown to other people and logged. */
export const withoutSecrets = (entry: CatalogEntry, body: unknown): unknown => {
  const payload = payloadSchema(entry.endpoint)
  return payload === undefined ? body : hide(body, payload.ast)
}

const hide = (value: unknown, ast: SchemaAST.AST): unknown => {
  const schemas = Presentation.schemasOf(ast)
  if (Presentation.isSecret([ast, ...schemas])) return "***"
  if (!Presentation.isRow(value)) return value
  const types = new Map(
    schemas.flatMap((schema) =>
      schema._tag === "Objects" ? schema.propertySignatures.map(({ name, type }) => [String(name), type] as const) : []
    )
  )
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const type = types.get(name)
      return [name, type === undefined ? member : hide(member, type)]
    })
  )
}

/** The subject of a confirmation: the name of the change, and the arguments outside the path. */
export interface Subject {
  readonly summary: string
  readonly body: unknown
}

/** Creates the question: the operation, the reason for the question, the target and every argument. */
export const question = ({ body, summary }: Subject, request: WriteRequest, facts: Facts): string => {
  const { owner, repo, ...parameters } = request.parameters
  const all = [...Object.entries(parameters), ...members("", body, MAX_DEPTH)]
  return [
    [
      `${summary}?`,
      ...(facts.consequence === undefined ? [] : [facts.consequence]),
      ...(facts.isReversible ? [] : ["This cannot be undone."])
    ].join(" "),
    ...(owner === undefined ? [] : [`Repository: ${show(repo === undefined ? owner : `${owner}/${repo}`)}`]),
    ...all
      .slice(0, MAX_ARGUMENTS)
      .map(([name, value]) => `${/^[\w.]{1,100}$/.test(name) ? name : show(name)}: ${show(value)}`),
    ...(all.length > MAX_ARGUMENTS ? [`… ${all.length - MAX_ARGUMENTS} more arguments`] : []),
    `Request: ${request.method} ${Truncation.shortenCounted(sanitizeText(request.path), MAX_LENGTH)} on ${sanitizeText(facts.label)}`
  ].join("\n")
}

/** Returns the members of objects by path, for example `config.url`, so that each member is shown. */
const members = (path: string, value: unknown, depth: number): ReadonlyArray<readonly [string, unknown]> => {
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value) || isEmpty(value)) {
    return value === undefined ? [] : [[path, value]]
  }
  return Object.entries(value).flatMap(([name, member]) =>
    members(path === "" ? name : `${path}.${name}`, member, depth - 1)
  )
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

/** Formats a value on one line. Quotes keep text from looking like a part of the question. */
export const show = (value: unknown): string =>
  Truncation.shortenCounted(sanitizeText(JSON.stringify(value)), MAX_LENGTH)
