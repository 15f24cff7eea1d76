/**
 * The shape of a JSON value as data: what the client needs of a schema to validate inputs and decode responses, without
 * the schema library. `SchemaShape` derives shapes from the schemas of the contract, and `client/ShapeReader` reads
 * shapes.
 */

/** The shape of a value without members. */
export type Scalar =
  | "any"
  | "boolean"
  | "finite"
  | "integer"
  | "null"
  | "sha"
  | "string"
  | "timestamp"
  /** Text that the forge sends as a number. */
  | "numberAsText"
  /** Null that the forge sends as an empty object. */
  | "emptyAsNull"
  /** A missing value that the forge sends as null. */
  | "nullAsUndefined"

/** Members by name. The name of an optional member ends with `?`. */
export type Members = Readonly<Record<string, Shape>>

/** The shape of a value. */
export type Shape = Scalar | Composite

/** The shape of a value with parts. */
export type Composite = {
  /** Describes the value in messages. Default: derived from the shape. */
  readonly expected?: string
  /** Declared members of resources inside a free-form object, which dialects rename. */
  readonly contains?: Shape
} & (
  | { readonly literal: string | number | boolean }
  /** A number with a range; null: without a limit. */
  | { readonly number: "finite" | "integer"; readonly from: number; readonly to: number | null }
  | { readonly array: Shape }
  | { readonly tuple: ReadonlyArray<Shape> }
  | { readonly union: ReadonlyArray<Shape> }
  /** An object. `others` is the shape of undeclared members. Without `others`, results omit undeclared members. */
  | { readonly object: Members; readonly others?: Shape }
)

/** Returns a copy of a shape, with a function applied to each part. */
export const mapParts = (shape: Composite, f: (part: Shape) => Shape): Composite => {
  const contains = shape.contains === undefined ? {} : { contains: f(shape.contains) }
  if ("array" in shape) return { ...shape, ...contains, array: f(shape.array) }
  if ("tuple" in shape) return { ...shape, ...contains, tuple: shape.tuple.map(f) }
  if ("union" in shape) return { ...shape, ...contains, union: shape.union.map(f) }
  if (!("object" in shape)) return { ...shape, ...contains }
  const others = shape.others === undefined ? {} : { others: f(shape.others) }
  const object = Object.fromEntries(Object.entries(shape.object).map(([name, part]) => [name, f(part)]))
  return { ...shape, ...contains, ...others, object }
}

/** A declared member of an object. */
export interface Member {
  readonly name: string
  readonly shape: Shape
  readonly isOptional: boolean
}

/** Returns the declared members of an object. */
export const membersOf = (object: Members): ReadonlyArray<Member> =>
  Object.entries(object).map(([name, shape]) =>
    name.endsWith("?") ? { name: name.slice(0, -1), shape, isOptional: true } : { name, shape, isOptional: false }
  )

/** Returns whether null is a value of the shape. */
export const acceptsNull = (shape: Shape): boolean =>
  typeof shape === "string"
    ? shape === "null" || shape === "emptyAsNull"
    : "union" in shape && shape.union.some(acceptsNull)

/** The JSON type of the scalars that have one. */
export const typeOfScalar: Readonly<Record<Scalar, string | undefined>> = {
  any: undefined,
  boolean: "boolean",
  finite: "number",
  integer: "number",
  null: "null",
  sha: "string",
  string: "string",
  timestamp: "string",
  numberAsText: "number",
  emptyAsNull: "object",
  nullAsUndefined: "null"
}

/** Returns the description of a shape in messages. */
export const expectedOf = (shape: Shape): string => {
  if (typeof shape === "string") return typeOfScalar[shape] ?? "unknown"
  if (shape.expected !== undefined) return shape.expected
  if ("literal" in shape) return JSON.stringify(shape.literal)
  if ("number" in shape) return "number"
  if ("array" in shape || "tuple" in shape) return "array"
  return "union" in shape ? [...new Set(shape.union.map(expectedOf))].join(" | ") : "object"
}
