/**
 * Presentation of resources for people and agents: columns of a list, title, links. A resource declares the
 * presentation once, in the annotations of the struct; the schemas of members declare the text formats. Commands,
 * screens and agent tools read the presentation.
 */
import * as SchemaAST from "effect/SchemaAST"

/**
 * The text format of a value. `id`: a git object id, which may be abbreviated. `age`: a timestamp, relative to now.
 * `bytes`: a size. `count`: a number with thousands separators. `number`: a number without separators. `state`: yes or
 * no. `line`: the first line of a text.
 */
export type Format = "id" | "age" | "bytes" | "count" | "number" | "state" | "line"

/** How an item gives the value of a parameter: the member at a path, or a text made from the member. */
export interface Argument {
  readonly path: string
  /** Regular expression whose first group is the value. An item that does not match lacks the argument. */
  readonly pattern?: string
  /** Text in which `{}` is replaced by the value. */
  readonly template?: string
  /** Values that members of the item must have. Other items lack the argument. */
  readonly when?: Readonly<Record<string, string | boolean>>
}

/** The presentation of a resource. A member path separates names by dots: `commit.sha`, `labels.name` for all labels. */
export interface Declaration {
  /** Member paths by column header. The columns that identify an item come first. */
  readonly columns: Readonly<Record<string, string>>
  /** Member paths that identify an item, for `get`, `update` and `delete`. Default: the path of the first column. */
  readonly identity?: ReadonlyArray<string>
  /** Member path of the title. Default: the path of the first column. */
  readonly title?: string
  /** True if other resources show only the title of this one, for example the login of an account. */
  readonly inline?: boolean
  /**
   * Parameters that an item gives to other operations, by name: the member path, or an `Argument`. `gitRefs.ref` is the
   * parameter `ref` of the group `gitRefs` only. Default: the identity, for the last path parameters of `get`.
   */
  readonly arguments?: Readonly<Record<string, string | Argument>>
  /**
   * Operations that show an item that has no `get` of its own, for example `commits.get`. The first operation that fits
   * is used.
   */
  readonly opens?: ReadonlyArray<`${string}.${string}`>
}

/** A column of a list. */
export interface Column {
  readonly header: string
  readonly path: ReadonlyArray<string>
  readonly format: Format
  /** True for a column that identifies an item. */
  readonly identifies: boolean
  /** True for the title of an item. */
  readonly isTitle: boolean
}

/** The schemas of one value: several for a union, none for data that the contract does not describe. */
export type Schemas = ReadonlyArray<SchemaAST.AST>

type Row = Readonly<Record<string, unknown>>

/** Creates the annotation of a struct that declares the presentation of lists and items. */
export const of = (declaration: Declaration) => ({ presentation: declaration })

/** Creates the annotation of a member whose text format differs from the default of the type. */
export const format = (as: Format) => ({ presentationFormat: as })

/** Annotation that hides a member from people and agents, because only programs can use the value. */
export const hidden = { isHidden: true }

/** Annotation of a URL that is data, such as a webhook's target or a clone URL. Other URLs are links of the API. */
export const externalUrl = { isData: true }

/** Annotation of a member that responses do not contain or mask, such as the secret of a webhook. */
export const secret = { isSecret: true }

/** Annotation of a text of bytes in Base64. Commands take the bytes as plain text or as a file. */
export const base64 = { isBase64: true }

/** Annotation of a text that is Base64 only if another member of the body, the encoding, is `base64`. */
export const base64If = (member: string) => ({ isBase64: true, encodingMember: member })

const declared = SchemaAST.resolveAt<Declaration>("presentation")
const declaredFormat = SchemaAST.resolveAt<Format>("presentationFormat")
const isMarkedHidden = SchemaAST.resolveAt<boolean>("isHidden")
const isData = SchemaAST.resolveAt<boolean>("isData")
const isMarkedSecret = SchemaAST.resolveAt<boolean>("isSecret")
const markedEncodingMember = SchemaAST.resolveAt<string>("encodingMember")
const isMarkedBase64 = SchemaAST.resolveAt<boolean>("isBase64")

/** Returns the schemas of the values that an AST describes. */
export const schemasOf = (ast: SchemaAST.AST): Schemas => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(schemasOf)
    case "Suspend":
      return schemasOf(ast.thunk())
    default:
      return [ast]
  }
}

/** Returns the schemas of the elements of an array. */
export const elementSchemas = (schemas: Schemas): Schemas =>
  schemas.flatMap((ast) => (ast._tag === "Arrays" ? [...ast.elements, ...ast.rest].flatMap(schemasOf) : []))

/** Returns the schemas of the items of a list: an array, or the one array in an object. */
export const itemSchemas = (schemas: Schemas): Schemas => {
  const direct = elementSchemas(schemas)
  if (direct.length > 0) return direct
  return (
    properties(schemas)
      .map(({ type }) => elementSchemas(schemasOf(type)))
      .find(({ length }) => length > 0) ?? []
  )
}

const properties = (schemas: Schemas): ReadonlyArray<SchemaAST.PropertySignature> =>
  schemas.flatMap((ast) => (ast._tag === "Objects" ? ast.propertySignatures : []))

/** Returns the schemas of a member. */
export const memberSchemas = (schemas: Schemas, name: string): Schemas =>
  schemas.flatMap((ast) => {
    if (ast._tag === "Arrays") return memberSchemas(elementSchemas([ast]), name)
    if (ast._tag !== "Objects") return []
    const property = ast.propertySignatures.find((signature) => signature.name === name)
    return property === undefined
      ? ast.indexSignatures.flatMap((signature) => schemasOf(signature.type))
      : schemasOf(property.type)
  })

/** Returns whether the contract declares a member of this name, rather than allowing any. */
export const hasMember = (schemas: Schemas, name: string): boolean =>
  properties(schemas).some((signature) => signature.name === name)

/** Returns whether the contract describes nothing inside the value. */
export const isFreeForm = (schemas: Schemas): boolean =>
  schemas.every((ast) => ast._tag !== "Arrays" && ast._tag !== "Objects")

/** Names that the specification reserves for API links and for ids of the GraphQL API. */
const isReserved = (name: string) => name === "url" || name === "_links" || name === "node_id" || name.endsWith("_url")

/** Returns whether a member is an API link, or is annotated as useless to people and agents. */
export const isHidden = (name: string, schemas: Schemas): boolean =>
  schemas.some((ast) => isMarkedHidden(ast) === true) ||
  (isReserved(name) && !schemas.some((ast) => isData(ast) === true))

/** Returns whether a member is a secret, which responses do not contain or mask. */
export const isSecret = (schemas: Schemas): boolean => schemas.some((ast) => isMarkedSecret(ast) === true)

/** Returns whether a value is a text of bytes in Base64. */
export const isBase64 = (schemas: Schemas): boolean => schemas.some((ast) => isMarkedBase64(ast) === true)

/** Returns the member of the body with the encoding of a text, if there is one. */
export const encodingMember = (schemas: Schemas): string | undefined =>
  schemas.map(markedEncodingMember).find(isDefined)

/** Returns the presentation of a resource; undefined without a declaration. */
export const declaration = (schemas: Schemas): Declaration | undefined => schemas.map(declared).find(isDefined)

/** Returns whether two presentations are of one resource, of which one may be a summary. */
export const isSameResource = (one: Declaration | undefined, other: Declaration | undefined): boolean =>
  one !== undefined && other !== undefined && JSON.stringify(one.columns) === JSON.stringify(other.columns)

/** Returns the text format of a value: the declared format, or else the default for the type. */
export const formatOf = (schemas: Schemas): Format => {
  const found = schemas.map(declaredFormat).find(isDefined)
  if (found !== undefined) return found
  const tags = schemas.map(({ _tag }) => _tag)
  return tags.includes("Boolean") ? "state" : tags.includes("Number") ? "number" : "line"
}

/** Maximum number of columns of a list whose items declare no presentation. The columns are the first scalars. */
const MOST_UNDECLARED = 6

const columnCache = new WeakMap<SchemaAST.AST, ReadonlyArray<Column>>()

/** Returns the columns of a list whose items have these schemas, the identifying columns first. */
export const columns = (schemas: Schemas): ReadonlyArray<Column> => {
  const [first] = schemas
  if (first === undefined) return []
  const known = columnCache.get(first)
  if (known !== undefined) return known
  const found = declaration(schemas)
  const paths: Readonly<Record<string, string>> = found?.columns ?? scalars(schemas)
  const identity = found?.identity ?? Object.values(paths).slice(0, 1)
  const titlePath = found?.title
  const made = Object.entries(paths).map(([header, path]): Column => {
    const names = path.split(".")
    const identifies = identity.includes(path)
    const format = formatOf(names.reduce(memberSchemas, schemas))
    // An id that is a number gets no thousands separators.
    return {
      header,
      path: names,
      format: identifies && format === "number" ? "id" : format,
      identifies,
      isTitle: path === titlePath
    }
  })
  columnCache.set(first, made)
  return made
}

/** Returns the columns of a list without declared presentation, from the scalars of one item. */
export const columnsOf = (item: Row): ReadonlyArray<Column> =>
  Object.entries(item)
    .filter(([name, value]) => typeof value !== "object" && !isHidden(name, []))
    .slice(0, MOST_UNDECLARED)
    .map(([name], index) => ({
      header: header(name),
      path: [name],
      format: "line",
      identifies: index === 0,
      isTitle: false
    }))

/** Maps column headers to the paths of the first scalar members. Leaves out hidden members, such as links. */
const scalars = (schemas: Schemas) =>
  Object.fromEntries(
    properties(schemas)
      .map(({ name, type }) => ({ name: String(name), schemas: schemasOf(type) }))
      .filter(({ name, schemas }) => isFreeForm(schemas) && !isHidden(name, schemas))
      .slice(0, MOST_UNDECLARED)
      .map(({ name }) => [header(name), name])
  )

/** Returns the column header of a member: `SHORT NAME` for `short_name`. */
export const header = (name: string): string => name.replaceAll("_", " ").toUpperCase()

/** Returns the presentation of a result, or of the items of a list. */
export const ofResult = (schemas: Schemas): Declaration | undefined =>
  declaration(schemas) ?? declaration(itemSchemas(schemas))

/** Returns the title of an item; undefined if the contract declares no title or the item lacks the member. */
export const title = (schemas: Schemas, item: unknown): string | undefined => {
  const found = declaration(schemas)
  if (found === undefined) return undefined
  const [first = ""] = Object.values(found.columns)
  const value = valueAt(item, (found.title ?? first).split("."))
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

/** Returns the title of an item if other resources show only the title of this one. */
export const inlineTitle = (schemas: Schemas, item: unknown): string | undefined =>
  declaration(schemas)?.inline === true ? title(schemas, item) : undefined

/** Returns the value at a member path; the values of all elements if the path leads through a list. */
export const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce(
    (at, name) =>
      Array.isArray(at)
        ? at.flatMap((item) => (isRow(item) ? (item[name] ?? []) : []))
        : isRow(at)
          ? at[name]
          : undefined,
    value
  )

/** Returns whether a value is an object and not an array. */
export const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isDefined = <A>(value: A | undefined): value is A => value !== undefined
