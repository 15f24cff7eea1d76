/**
 * Decodes values that do not match the shape, because servers differ and change. Leaves out and reports each wrong or
 * missing member. Fails only if an identifying member, such as `id`, is missing. Slower than a strict decoder, so used
 * only for values that the strict decoder rejects.
 */
import { acceptsNull, type Composite, type Member, membersOf, type Shape } from "../../contract/Shape.ts"
import * as ShapeReader from "./ShapeReader.ts"

/** A decoded value and the differences from the shape. */
export interface LenientResult {
  readonly value: unknown
  /** Paths of the members that were left out or converted, for example `["items"][*]["private"]`. */
  readonly unexpected: ReadonlyArray<string>
}

/** Maximum number of reported paths per value. */
export const MAX_REPORTED = 20

/** Decodes a value, or returns the path of the missing or wrong identifying member; `""` is the whole value. */
export type LenientDecoder = (value: unknown) => LenientResult | { readonly missing: string }

/** Creates a lenient decoder for the shape. The first use builds the decoder. */
export const make = (shape: Shape): LenientDecoder => {
  let read: Reader | undefined
  return (value) => {
    read ??= compile(shape)
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

const mismatch: Outcome = { unidentified: undefined }

const record = (unexpected: Set<string>, path: string) => {
  if (unexpected.size < MAX_REPORTED) unexpected.add(path)
}

/** Cached readers by shape, because endpoints share shapes. */
const readers = new WeakMap<Composite, Reader>()

const compile = (shape: Shape): Reader => {
  if (typeof shape === "string") return scalar(shape)
  const before = readers.get(shape)
  if (before !== undefined) return before
  const read = compileComposite(shape)
  readers.set(shape, read)
  return read
}

const compileComposite = (shape: Composite): Reader => {
  if ("object" in shape) return object(shape)
  if ("array" in shape) return array(shape.array)
  if ("tuple" in shape) return array(shape.tuple[0])
  return "union" in shape ? union(shape) : scalar(shape)
}

/** Identifying members that are always text. An `id` is a number on some forges and a text on other forges. */
const names: ReadonlyArray<string> = ["sha", "ref", "login", "full_name", "name"]

/** Creates a reader of scalars that converts between numbers and text if nothing is lost. */
const scalar = (shape: Shape): Reader => {
  const decode = ShapeReader.make(shape)
  return (value, path, unexpected) => {
    const first = decode(value)
    if ("value" in first) return first
    const converted = convert(value)
    if (converted === undefined) return mismatch
    const second = decode(converted)
    if (!("value" in second)) return mismatch
    record(unexpected, path)
    return second
  }
}

/** Creates a reader that never converts: a number instead of a name or object id would identify something else. */
const exact = (shape: Shape): Reader => {
  const decode = ShapeReader.make(shape)
  return (value) => {
    const decoded = decode(value)
    return "value" in decoded ? decoded : mismatch
  }
}

const convert = (value: unknown): string | number | undefined => {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && String(Number(value)) === value ? Number(value) : undefined
}

const object = (shape: Extract<Composite, { object: unknown }>): Reader => {
  const declaredMembers = membersOf(shape.object)
  const identity = identifying(declaredMembers)
  const members = declaredMembers.map(({ isOptional, name, shape }) => ({
    name,
    read: identity.includes(name) && names.includes(name) ? exact(shape) : compile(shape),
    isOptional,
    acceptsNull: acceptsNull(shape),
    identifies: identity.includes(name)
  }))
  const requiresSome = members.some(({ isOptional }) => !isOptional)
  const declared = new Set(members.map(({ name }) => name))
  const others = shape.others === undefined ? undefined : compile(shape.others)

  return (value, path, unexpected) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return mismatch
    const given = new Map<string, unknown>(Object.entries(value))
    // An object with none of the members is a mismatch. If identifying members are missing, decoding fails later.
    if (identity.length === 0 && requiresSome && !members.some(({ name }) => given.has(name))) return mismatch
    const entries: Array<readonly [string, unknown]> = []
    for (const { acceptsNull, identifies, isOptional, name, read } of members) {
      const at = `${path}[${JSON.stringify(name)}]`
      const member = given.get(name)
      if (member === undefined && isOptional) continue
      const outcome = member === undefined ? mismatch : read(member, at, unexpected)
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

/** Returns the members that an object must have: ids, the name of an object without ids, or the items of a page. */
const identifying = (members: ReadonlyArray<Member>): ReadonlyArray<string> => {
  const required = members.filter(({ isOptional, shape }) => !isOptional && !acceptsNull(shape))
  const named = (names: ReadonlyArray<string>) => required.flatMap(({ name }) => (names.includes(name) ? [name] : []))
  const ids = named(["id", ...names.filter((name) => name !== "name")])
  if (ids.length > 0) return ids
  if (members.some(({ name }) => name === "total_count")) {
    return required.flatMap(({ name, shape }) => (typeof shape === "object" && "array" in shape ? [name] : []))
  }
  return named(["name"])
}

/** Creates an array reader that leaves out elements that do not match. */
const array = (shape: Shape = "any"): Reader => {
  const rest = compile(shape)
  return (value, path, unexpected) => {
    if (!Array.isArray(value)) return mismatch
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

const absent: ReadonlyArray<Shape> = ["null", "emptyAsNull", "nullAsUndefined"]

/** Creates a union reader. Returns the value of the matching alternative, or of the one with the fewest differences. */
const union = (shape: Extract<Composite, { union: unknown }>): Reader => {
  const decode = ShapeReader.make(shape)
  const reads = shape.union.filter((shape) => !absent.includes(shape)).map(compile)
  return (value, path, unexpected) => {
    const decoded = decode(value)
    if ("value" in decoded) return decoded
    let missing: string | undefined
    let best: { readonly outcome: Outcome; readonly unexpected: Set<string> } | undefined
    for (const read of reads) {
      const own = new Set<string>()
      const outcome = read(value, path, own)
      if (!("value" in outcome)) missing ??= outcome.unidentified
      else if (best === undefined || own.size < best.unexpected.size) best = { outcome, unexpected: own }
    }
    for (const one of best?.unexpected ?? []) record(unexpected, one)
    return best?.outcome ?? { unidentified: missing }
  }
}
