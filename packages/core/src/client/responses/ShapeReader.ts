/**
 * Validates values by a shape and decodes values: omits members that the shape does not declare. Gives the results and
 * messages of the schema from which the shape is derived. Returns the same value, not a copy, if no part is omitted or
 * converted.
 */
import {
  type Composite,
  expectedOf,
  type Member,
  membersOf,
  type Scalar,
  type Shape,
  typeOfScalar
} from "../../contract/Shape.ts"

/** A decoded value, or a function that describes the first difference from the shape. */
export type Decoded = { readonly value: unknown } | { readonly mismatch: () => string }

/** Decodes a value. */
export type Reader = (value: unknown) => Decoded

/** Creates a reader. The first use builds the reader. */
export const make = (shape: Shape): Reader => {
  let read: Read | undefined
  return (value) => {
    read ??= compile(shape)
    const result = read(value)
    return result instanceof Mismatch ? { mismatch: () => result.message("") } : { value: result }
  }
}

/** A difference between a value and the shape. */
class Mismatch {
  readonly message: (path: string) => string
  constructor(message: (path: string) => string) {
    this.message = message
  }
}

/** Returns the decoded value or a `Mismatch`. */
type Read = (value: unknown) => unknown

const mismatch = (problem: string) => new Mismatch((path) => (path === "" ? problem : `${problem} at ${path}`))

const expecting = (expected: string) => mismatch(`Expected ${expected}`)

const inMember = ({ message }: Mismatch, name: string | number) =>
  new Mismatch((path) => message(`${path}[${JSON.stringify(name)}]`))

/** Cached readers by shape, because endpoints share shapes. */
const readers = new WeakMap<Composite, Read>()

const compile = (shape: Shape): Read => {
  if (typeof shape === "string") return scalars[shape]
  let read = readers.get(shape)
  if (read === undefined) readers.set(shape, (read = compileComposite(shape)))
  return read
}

const compileComposite = (shape: Composite): Read => {
  const wrong = expecting(expectedOf(shape))
  if ("literal" in shape) return (value) => (value === shape.literal ? value : wrong)
  if ("number" in shape) return number(shape)
  if ("array" in shape) return array(shape.array, wrong)
  if ("tuple" in shape) return tuple(shape.tuple, wrong)
  return "union" in shape ? union(shape.union, wrong) : object(shape, wrong)
}

const validScalar =
  (type: string, isValid: (value: never) => boolean, expected: string): Read =>
  (value) => {
    if (typeof value !== type) return expecting(type)
    return isValid(value as never) ? value : expecting(expected) // oxlint-disable-line typescript/no-unsafe-type-assertion -- has the type of the scalar
  }

const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/
const isHexadecimal = /^[0-9a-f]+$/
const isSha = (text: string) => (text.length === 40 || text.length === 64) && isHexadecimal.test(text)
const readInteger = validScalar("number", Number.isSafeInteger, "an integer")

const scalars: Readonly<Record<Scalar, Read>> = {
  any: (value) => value,
  boolean: (value) => (typeof value === "boolean" ? value : expecting("boolean")),
  finite: validScalar("number", Number.isFinite, "a finite number"),
  integer: readInteger,
  null: (value) => (value === null ? value : expecting("null")),
  sha: validScalar("string", isSha, "a git object id of 40 or 64 hexadecimal digits"),
  string: (value) => (typeof value === "string" ? value : expecting("string")),
  timestamp: validScalar(
    "string",
    (text: string) => isTimestamp.test(text),
    "a timestamp, for example 2026-01-31T12:00:00Z"
  ),
  numberAsText: (value) => {
    const read = readInteger(value)
    return read instanceof Mismatch ? read : String(read)
  },
  emptyAsNull: (value) => {
    if (!isRecord(value)) return expecting("object")
    const [name] = Object.keys(value)
    return name === undefined ? null : inMember(expecting("never"), name)
  },
  nullAsUndefined: (value) => (value === null ? undefined : expecting("null"))
}

const number = ({ from, number, to }: Extract<Composite, { number: unknown }>): Read => {
  const range = to === null ? `a value greater than or equal to ${from}` : `a value between ${from} and ${to}`
  return (value) => {
    const read = scalars[number](value)
    if (read instanceof Mismatch) return read
    return Number(read) >= from && (to === null || Number(read) <= to) ? read : expecting(range)
  }
}

const array = (shape: Shape, wrong: Mismatch): Read => {
  const read = compile(shape)
  return (value) => {
    if (!Array.isArray(value)) return wrong
    const given: ReadonlyArray<unknown> = value
    let copy: Array<unknown> | undefined
    for (let index = 0; index < given.length; index++) {
      const element = read(given[index])
      if (element === given[index]) continue
      if (element instanceof Mismatch) return inMember(element, index)
      copy ??= given.slice()
      copy[index] = element
    }
    return copy ?? value
  }
}

const tuple = (shapes: ReadonlyArray<Shape>, wrong: Mismatch): Read => {
  const reads = shapes.map(compile)
  return (value) => {
    if (!Array.isArray(value)) return wrong
    const elements: Array<unknown> = []
    for (const [index, read] of reads.entries()) {
      const element = index < value.length ? read(value[index]) : mismatch("Missing key")
      if (element instanceof Mismatch) return inMember(element, index)
      elements.push(element)
    }
    return value.length > reads.length ? inMember(mismatch("Expected no excess property"), reads.length) : elements
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const object = (shape: Extract<Composite, { object: unknown }>, wrong: Mismatch): Read => {
  const members = membersOf(shape.object).map((member) => ({ ...member, read: compile(member.shape) }))
  const declared = new Set(members.map(({ name }) => name))
  const others = shape.others === undefined ? undefined : compile(shape.others)
  /** Copies only the declared members. */
  const copyDeclared = (value: Readonly<Record<string, unknown>>) => {
    const copy: Record<string, unknown> = {}
    for (const { name } of members) if (Object.hasOwn(value, name)) copy[name] = value[name]
    return copy
  }
  return (value) => {
    if (!isRecord(value)) return wrong
    let copy: Record<string, unknown> | undefined
    let present = 0
    for (const { isOptional, name, read } of members) {
      const given = value[name]
      if (given === undefined && !Object.hasOwn(value, name)) {
        if (isOptional) continue
        return inMember(mismatch("Missing key"), name)
      }
      present++
      const member = read(given)
      if (member === given) continue
      if (member instanceof Mismatch) return inMember(member, name)
      copy ??= copyDeclared(value)
      copy[name] = member
    }
    const names = Object.keys(value)
    if (names.length === present) return copy ?? value
    copy ??= copyDeclared(value)
    if (others === undefined) return copy
    for (const name of names) {
      if (declared.has(name)) continue
      const member = others(value[name])
      if (member instanceof Mismatch) return inMember(member, name)
      Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true })
    }
    return copy
  }
}

/** Creates a union reader. Returns the value of the first alternative that matches. */
const union = (shapes: ReadonlyArray<Shape>, wrong: Mismatch): Read => {
  const alternatives = shapes.map((shape) => ({ admits: admission(shape), read: compile(shape) }))
  const [first, second] = alternatives
  if (first !== undefined && shapes.length === 2 && second?.read === scalars.null) return nullable(first, wrong)
  return (value) => {
    const mismatches: Array<Mismatch> = []
    for (const { admits, read } of alternatives) {
      if (!admits(value)) continue
      const result = read(value)
      if (!(result instanceof Mismatch)) return result
      mismatches.push(result)
    }
    if (mismatches.length === 0) return wrong
    return new Mismatch((path) => mismatches.map(({ message }) => message(path)).join(" "))
  }
}

/** Creates a reader of a value or null, the usual union: only a wrong value is checked twice. */
const nullable =
  ({ admits, read }: Alternative, wrong: Mismatch): Read =>
  (value) => {
    if (value === null) return null
    const result = read(value)
    return result instanceof Mismatch && !admits(value) ? wrong : result
  }

interface Alternative {
  readonly admits: (value: unknown) => boolean
  readonly read: Read
}

/** Returns whether an alternative may describe a value, judged by the type and the literal members. */
const admission = (shape: Shape): ((value: unknown) => boolean) => {
  if (typeof shape === "string") {
    const type = typeOfScalar[shape]
    return type === undefined ? () => true : (value) => typeOf(value) === type
  }
  if ("literal" in shape) return (value) => value === shape.literal
  if ("number" in shape) return (value) => typeof value === "number"
  if ("array" in shape || "tuple" in shape) return Array.isArray
  if ("union" in shape) {
    const some = shape.union.map((one) =>
      typeof one === "object" && "literal" in one
        ? (value: unknown) => typeOf(value) === typeOf(one.literal)
        : admission(one)
    )
    return (value) => some.some((admits) => admits(value))
  }
  const literals = membersOf(shape.object).filter(isLiteral)
  if (literals.length === 0) return (value) => typeOf(value) === "object"
  return (value) => {
    if (!isRecord(value)) return false
    const own = literals.filter(({ name }) => Object.hasOwn(value, name))
    return own.length > 0 && own.every(({ name, shape }) => value[name] === Object(shape).literal)
  }
}

const isLiteral = ({ isOptional, shape }: Member) => !isOptional && typeof shape === "object" && "literal" in shape

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)
