/** The operation that undoes another one, derived from the contract. */
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { type Arguments, argumentsOf, input as inputOf, requiredPathKeys } from "./Arguments.ts"
import { type CatalogEntry, allEntries, type InputField, memberNames, payloadSchema } from "./CatalogEntry.ts"
import * as Operation from "./Operation.ts"
import * as Presentation from "./Presentation.ts"

/** An operation with its complete input. */
export interface Call {
  readonly entry: CatalogEntry
  readonly input: Arguments
}

/** Returns whether a later call can restore the state before a call with this input. */
export const isReversible = ({ operation }: CatalogEntry, input: Arguments): boolean =>
  Operation.isReversible(operation, input)

/** Returns whether user interfaces ask before a call, because the call cannot be undone or exposes data or access. */
export const needsConfirmation = (entry: CatalogEntry, input: Arguments): boolean =>
  !isReversible(entry, input) || Operation.exposureOf(entry.operation, input) !== undefined

/**
 * Returns the present values of the body fields of an operation, read from the changed resource. `known` are the
 * arguments of the resource (`argumentsOf`). Leaves out secrets, and values that the operation does not accept.
 */
export const current = (target: CatalogEntry, resource: unknown, known: Arguments = {}): Arguments => {
  const payload = payloadSchema(target.endpoint)
  if (payload === undefined) return {}
  const declared = inputOf(target, known).known
  const names = memberNames(payload)
  return {
    ...(Presentation.isRow(resource) ? readMembers(payload.ast, resource) : {}),
    ...Object.fromEntries(Object.entries(declared).filter(([name]) => names.includes(name)))
  }
}

/** Returns the members of a resource that an input of this type may have, without secrets. */
const readMembers = (ast: SchemaAST.AST, resource: Arguments): Arguments =>
  Object.fromEntries(
    (ast._tag === "Objects" ? ast.propertySignatures : []).flatMap(({ name, type }) => {
      const member = Presentation.isSecret([type]) ? undefined : readValue(type, resource[String(name)])
      return member === undefined ? [] : [[String(name), member]]
    })
  )

/** Returns the part of a value that an input of this type may have; undefined for an invalid value. */
const readValue = (ast: SchemaAST.AST, value: unknown): unknown => {
  const isStruct = ast._tag === "Objects" && ast.propertySignatures.length > 0
  // A text without a value is null in resources and empty in input.
  const candidates =
    isStruct && Presentation.isRow(value)
      ? [readMembers(ast, value)]
      : [value, ...(value === null ? [""] : []), ...namesOf(value)]
  const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))
  return candidates.find((each) => each !== undefined && Exit.isSuccess(decode(each)))
}

/** Returns what an input may name a resource by: the login of an account, the name of a type, the number of a milestone. */
const namesOf = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) {
    const names = value.map((one) => namesOf(one)[0])
    return names.length > 0 && names.every((name) => name !== undefined) ? [names] : []
  }
  return Presentation.isRow(value) ? [value["login"] ?? value["name"] ?? value["number"]] : []
}

/**
 * Returns the call that undoes a call with this input; undefined if none does. `before` is the resource before the call,
 * which undoing an update needs; `result` is the result of the call.
 */
export const inverse = (
  entry: CatalogEntry,
  input: Arguments,
  before?: unknown,
  result?: unknown
): Call | undefined => {
  if (!isReversible(entry, input)) return undefined
  if (payloadSchema(entry.endpoint) === undefined) return opposite(entry, input)
  return entry.operation.effect === "create"
    ? deletion(entry, input, result)
    : restoration(entry, input, before, result)
}

/**
 * Returns the operation that reads a resource before a deletion, so that `recreation` can create the resource again;
 * undefined for a deletion that nothing restores.
 */
export const readBefore = ({ endpoint, group, operation }: CatalogEntry): CatalogEntry | undefined =>
  operation.restorable === true
    ? allEntries().find(
        (other) =>
          other.group === group &&
          other.readonly &&
          [other.endpoint.path, other.operation.alsoAt].includes(endpoint.path)
      )
    : undefined

/** Returns the call that creates a deleted resource again, as `before`, the result of `readBefore`, has it. */
export const recreation = (entry: CatalogEntry, input: Arguments, before: unknown): Call | undefined => {
  const read = readBefore(entry)
  const create = allEntries().find(({ group, operation }) => group === entry.group && operation.effect === "create")
  if (read === undefined || create === undefined) return undefined
  const known = argumentsOf(read, input, before)
  return { entry: create, input: { ...inputOf(create, known).known, ...current(create, before, known) } }
}

const methods: Readonly<Record<string, string>> = { PUT: "DELETE", DELETE: "PUT" }

/** Returns the operation at the same path that reverts this one: the PUT for a DELETE, or the DELETE for a PUT. */
const opposite = (entry: CatalogEntry, input: Arguments): Call | undefined => {
  const found = allEntries().find(
    ({ endpoint }) =>
      endpoint.path === entry.endpoint.path &&
      endpoint.method === methods[entry.endpoint.method] &&
      payloadSchema(endpoint) === undefined
  )
  return found === undefined ? undefined : { entry: found, input: pathInput(entry, input) }
}

const pathInput = ({ fields }: CatalogEntry, input: Arguments): Arguments =>
  Object.fromEntries(fields.filter((field) => field.in === "path").map(({ name }) => [name, input[name]]))

/** Returns the operation of the group that deletes a created resource, by preference below the path of the creation. */
const deletion = (entry: CatalogEntry, input: Arguments, result: unknown): Call | undefined => {
  const known = argumentsOf(entry, input, result)
  const targets = allEntries().filter(
    (target) =>
      target.group === entry.group &&
      target.operation.effect === "delete" &&
      // A path such as `/issues/:issue_number/lock` deletes a part of the resource.
      /\/[:*][^/]*$/.test(target.endpoint.path) &&
      requiredPathKeys(target).length > requiredPathKeys(entry).length &&
      inputOf(target, known).missing.length === 0
  )
  const found = targets.find(({ endpoint }) => endpoint.path.startsWith(`${entry.endpoint.path}/`)) ?? targets[0]
  return found === undefined ? undefined : { entry: found, input: inputOf(found, known).known }
}

/** Returns the same operation with the previous values: all values for PUT, which replaces the whole. */
const restoration = (entry: CatalogEntry, input: Arguments, before: unknown, result: unknown): Call | undefined => {
  if (!Presentation.isRow(before)) return undefined
  const { reversible } = entry.operation
  const added = typeof reversible === "boolean" ? {} : (reversible.with ?? {})
  const previous = current(entry, before, argumentsOf(entry, input, before))
  const body = entry.fields.filter((field) => field.in === "body")
  const isChanged = ({ name }: InputField) => input[name] !== undefined && !(name in added)
  if (!body.filter(isChanged).every(({ name }) => previous[name] !== undefined)) return undefined
  const restored = body.filter((field) => entry.endpoint.method === "PUT" || isChanged(field))
  const path = inputOf(entry, argumentsOf(entry, input, Presentation.isRow(result) ? result : undefined)).known
  return {
    entry,
    input: {
      ...pathInput(entry, { ...input, ...path }),
      ...Object.fromEntries(
        restored.flatMap(({ name }) => (previous[name] === undefined ? [] : [[name, previous[name]]]))
      ),
      ...added
    }
  }
}
