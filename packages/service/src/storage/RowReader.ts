/**
 * Functions that decode rows as their schema does, in a tenth of the time: the interpreter of schemas takes longer than
 * the database. Covers the schemas of rows; an invalid value is left to the schema, which describes the problem.
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** The result for a value that does not match. */
export const invalid = Symbol("@tongs/service/storage/RowReader/invalid")

/** Decodes a value. Returns `invalid` for a value that does not match. */
type Reader = (value: unknown) => unknown

const integer = Schema.Int.ast.checks
const [jsonText] = Schema.fromJsonString(Schema.Unknown).ast.encoding ?? []

/** Returns the reader of a schema. Undefined for a schema with parts that no row has. */
export const make = (ast: SchemaAST.AST): Reader | undefined => {
  if (ast.encoding === undefined) return ofType(ast)
  const [link, ...more] = ast.encoding
  return link.to === jsonText?.to && more.length === 0 ? ofJson(ofType(ast)) : undefined
}

const ofType = (ast: SchemaAST.AST): Reader | undefined => {
  if ("encodingChecks" in ast && ast.encodingChecks !== undefined) return undefined
  if (ast.checks !== undefined)
    return SchemaAST.isNumber(ast) && ast.checks === integer ? only(Number.isSafeInteger) : undefined
  if (SchemaAST.isString(ast)) return only((value) => typeof value === "string")
  if (SchemaAST.isNumber(ast)) return only((value) => typeof value === "number")
  if (SchemaAST.isBoolean(ast)) return only((value) => typeof value === "boolean")
  if (SchemaAST.isNull(ast)) return only((value) => value === null)
  if (SchemaAST.isUnknown(ast)) return (value) => value
  if (SchemaAST.isLiteral(ast)) return only((value) => value === ast.literal)
  if (SchemaAST.isUnion(ast)) return ast.options === undefined ? ofUnion(ast.types.map(make)) : undefined
  if (SchemaAST.isArrays(ast)) return ast.elements.length === 0 ? ofArray(ast.rest.map(make)) : undefined
  return SchemaAST.isObjects(ast) ? ofObject(ast) : undefined
}

const only =
  (matches: (value: unknown) => boolean): Reader =>
  (value) =>
    matches(value) ? value : invalid

/** Maximum number and length of the texts of a column whose values are known. */
const MAX_TEXTS = 50
const MAX_LENGTH = 1000

/** Rows have equal values, for example their author. Equal texts give the same object. */
const ofJson = (read: Reader | undefined): Reader | undefined => {
  if (read === undefined) return undefined
  const known = new Map<string, unknown>()
  return (text) => {
    if (typeof text !== "string") return invalid
    const before = known.get(text)
    if (before !== undefined) return before
    const value = parse(text, read)
    if (text.length > MAX_LENGTH) return value
    if (known.size >= MAX_TEXTS) known.clear()
    known.set(text, value)
    return value
  }
}

const parse = (text: string, read: Reader) => {
  try {
    return read(JSON.parse(text))
  } catch {
    return invalid
  }
}

const areReaders = (readers: ReadonlyArray<Reader | undefined>): readers is ReadonlyArray<Reader> =>
  readers.every((read) => read !== undefined)

const ofUnion = (readers: ReadonlyArray<Reader | undefined>): Reader | undefined => {
  if (!areReaders(readers)) return undefined
  return (value) => {
    for (const read of readers) {
      const found = read(value)
      if (found !== invalid) return found
    }
    return invalid
  }
}

const ofArray = ([item, ...more]: ReadonlyArray<Reader | undefined>): Reader | undefined => {
  if (item === undefined || more.length > 0) return undefined
  return (value) => {
    if (!Array.isArray(value)) return invalid
    const items: Array<unknown> = []
    for (const one of value) {
      const found = item(one)
      if (found === invalid) return invalid
      items.push(found)
    }
    return items
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A name that an assignment does not create as a member. */
const PROTOTYPE = "__proto__"

const ofObject = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Reader | undefined => {
  if (indexSignatures.length > 0) return propertySignatures.length > 0 ? undefined : ofRecord(indexSignatures)
  const members: Array<{ readonly name: string; readonly read: Reader; readonly isOptional: boolean }> = []
  for (const { name, type } of propertySignatures) {
    const read = make(type)
    if (read === undefined || typeof name !== "string" || name === PROTOTYPE) return undefined
    members.push({ name, read, isOptional: SchemaAST.isOptional(type) })
  }
  return (value) => {
    if (!isRecord(value)) return invalid
    const object: Record<string, unknown> = {}
    for (const { isOptional, name, read } of members) {
      const given = value[name]
      if (given === undefined && !(name in value)) {
        if (isOptional) continue
        return invalid
      }
      const found = read(given)
      if (found === invalid) return invalid
      object[name] = found
    }
    return object
  }
}

const ofRecord = ([index, ...more]: ReadonlyArray<SchemaAST.IndexSignature>): Reader | undefined => {
  if (index === undefined || more.length > 0 || index.parameter !== Schema.String.ast) return undefined
  const read = make(index.type)
  if (read === undefined) return undefined
  return (value) => {
    if (!isRecord(value)) return invalid
    const object: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      const found = name === PROTOTYPE ? invalid : read(value[name])
      if (found === invalid) return invalid
      object[name] = found
    }
    return object
  }
}
