/**
 * Decodes values that do not match their schema, because servers differ and change. Leaves out and reports each wrong
 * or missing member. Fails only if an identifying member, such as `id`, is missing. Slower than `SchemaDecoder`, so
 * used only for values that it rejects.
 */
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/** A decoded value and its differences from the schema. */
export interface LenientResult {
  readonly value: unknown
  /** Paths of the members that were left out or converted, for example `["items"][*]["private"]`. */
  readonly unexpected: ReadonlyArray<string>
}

/** Maximum number of reported paths per value. */
export const MAX_REPORTED = 20

/** Decodes a value, or returns the path of the missing or wrong identifying member; `""` is the whole value. */
export type LenientDecoder = (value: unknown) => LenientResult | { readonly missing: string }

/** Creates a lenient decoder for the schema. It is built on first use. */
export const make = (schema: Schema.Top): LenientDecoder => {
  let read: Reader | undefined
  return (value) => {
    read ??= compile(schema.ast)
    const unexpected = new Set<string>()
    const outcome = read(value, "", unexpected)
    return "value" in outcome
      ? { value: outcome.value, unexpected: [...unexpected] }
      : { missing: outcome.unidentified ?? "" }
  }
}

/**
 * The result of a reader: a value; or, as `unidentified`, the path of a missing identifying member, undefined for any
 * other mismatch.
 */
type Outcome = { readonly value: unknown } | { readonly unidentified: string | undefined }
type Reader = (value: unknown, path: string, unexpected: Set<string>) => Outcome

const MISMATCH: Outcome = { unidentified: undefined }

const record = (unexpected: Set<string>, path: string) => {
  if (unexpected.size < MAX_REPORTED) unexpected.add(path)
}

/** Cached readers by schema, because endpoints share schemas. */
const readers = new WeakMap<SchemaAST.AST, Reader>()

const compile = (ast: SchemaAST.AST): Reader => {
  const before = readers.get(ast)
  if (before !== undefined) return before
  const read = compileUncached(ast)
  readers.set(ast, read)
  return read
}

const compileUncached = (ast: SchemaAST.AST): Reader => {
  if (ast.encoding !== undefined) return scalar(ast)
  switch (ast._tag) {
    case "Objects":
      return object(ast)
    case "Arrays":
      return array(ast)
    case "Union":
      return union(ast)
    default:
      return scalar(ast)
  }
}

const decoder = (ast: SchemaAST.AST) => Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))

/** Identifying members that are always text. An `id` is a number on some forges and text on others. */
const NAMES: ReadonlyArray<string> = ["sha", "ref", "login", "full_name", "name"]

/** Creates a reader of scalars that converts between numbers and text if nothing is lost. */
const scalar = (ast: SchemaAST.AST): Reader => {
  const decode = decoder(ast)
  return (value, path, unexpected) => {
    const exit = decode(value)
    if (Exit.isSuccess(exit)) return exit
    const converted = convert(value)
    if (converted === undefined) return MISMATCH
    const second = decode(converted)
    if (Exit.isFailure(second)) return MISMATCH
    record(unexpected, path)
    return second
  }
}

/** Creates a reader that never converts: a number instead of a name or object id would identify something else. */
const exact = (ast: SchemaAST.AST): Reader => {
  const decode = decoder(ast)
  return (value) => {
    const exit = decode(value)
    return Exit.isSuccess(exit) ? exit : MISMATCH
  }
}

const convert = (value: unknown): string | number | undefined => {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && String(Number(value)) === value ? Number(value) : undefined
}

interface Member {
  readonly name: string
  readonly read: Reader
  readonly isOptional: boolean
  readonly acceptsNull: boolean
  readonly identifies: boolean
}

const object = (ast: SchemaAST.Objects): Reader => {
  const identity = identifying(ast)
  const members = ast.propertySignatures.map(({ name, type }): Member => ({
    name: String(name),
    read: identity.includes(String(name)) && NAMES.includes(String(name)) ? exact(type) : compile(type),
    isOptional: type.context?.isOptional === true,
    acceptsNull: acceptsNull(type),
    identifies: identity.includes(String(name))
  }))
  const requiresSome = members.some(({ isOptional }) => !isOptional)
  const declared = new Set(members.map(({ name }) => name))
  const [others] = ast.indexSignatures.map(({ type }) => compile(type))

  return (value, path, unexpected) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return MISMATCH
    const given = new Map<string, unknown>(Object.entries(value))
    // An object with none of the members is a mismatch. If the schema has identifying members, their absence fails
    // later.
    if (identity.length === 0 && requiresSome && !members.some(({ name }) => given.has(name))) return MISMATCH
    const entries: Array<readonly [string, unknown]> = []
    for (const { acceptsNull, identifies, isOptional, name, read } of members) {
      const at = `${path}[${JSON.stringify(name)}]`
      const member = given.get(name)
      if (member === undefined && isOptional) continue
      const outcome = member === undefined ? MISMATCH : read(member, at, unexpected)
      if ("value" in outcome) {
        entries.push([name, outcome.value])
        continue
      }
      if (identifies) return { unidentified: outcome.unidentified ?? at }
      if (outcome.unidentified !== undefined && !isOptional && !acceptsNull) return outcome
      record(unexpected, at)
      if (acceptsNull) entries.push([name, null])
    }
    for (const [name, member] of given) {
      if (others === undefined || declared.has(name)) continue
      const outcome = others(member, `${path}[${JSON.stringify(name)}]`, unexpected)
      if ("value" in outcome) entries.push([name, outcome.value])
      else record(unexpected, `${path}[${JSON.stringify(name)}]`)
    }
    return { value: Object.fromEntries(entries) }
  }
}

/** Returns the members that an object must have: its ids, its name if it has no id, or the items of a page. */
const identifying = ({ propertySignatures }: SchemaAST.Objects): ReadonlyArray<string> => {
  const required = propertySignatures.filter(({ type }) => type.context?.isOptional !== true && !acceptsNull(type))
  const named = (names: ReadonlyArray<string>) =>
    required.flatMap(({ name }) => (names.includes(String(name)) ? [String(name)] : []))
  const ids = named(["id", ...NAMES.filter((name) => name !== "name")])
  if (ids.length > 0) return ids
  if (propertySignatures.some(({ name }) => name === "total_count")) {
    return required.flatMap(({ name, type }) => (type._tag === "Arrays" ? [String(name)] : []))
  }
  return named(["name"])
}

const acceptsNull = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Null" || (ast._tag === "Union" && ast.types.some(acceptsNull))

/** Creates an array reader that leaves out elements that do not match. */
const array = (ast: SchemaAST.Arrays): Reader => {
  const [rest] = [...ast.elements, ...ast.rest].map(compile)
  return (value, path, unexpected) => {
    if (!Array.isArray(value) || rest === undefined) return MISMATCH
    const at = `${path}[*]`
    const elements: Array<unknown> = []
    for (const element of value) {
      const outcome = rest(element, at, unexpected)
      if ("value" in outcome) elements.push(outcome.value)
      else if (outcome.unidentified === undefined) record(unexpected, at)
      else return outcome
    }
    return { value: elements }
  }
}

/** Creates a union reader. Returns the value of the matching alternative, or of the one with the fewest differences. */
const union = (ast: SchemaAST.Union): Reader => {
  const decode = decoder(ast)
  const types = ast.types.filter(({ _tag }) => _tag !== "Null" && _tag !== "Undefined").map(compile)
  return (value, path, unexpected) => {
    const exit = decode(value)
    if (Exit.isSuccess(exit)) return exit
    let missing: string | undefined
    let best: { readonly outcome: Outcome; readonly unexpected: Set<string> } | undefined
    for (const read of types) {
      const own = new Set<string>()
      const outcome = read(value, path, own)
      if (!("value" in outcome)) missing ??= outcome.unidentified
      else if (best === undefined || own.size < best.unexpected.size) best = { outcome, unexpected: own }
    }
    for (const one of best?.unexpected ?? []) record(unexpected, one)
    return best?.outcome ?? { unidentified: missing }
  }
}
