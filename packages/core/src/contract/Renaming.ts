/**
 * Renames members of JSON values between dialects. Renames only members that a schema of the contract declares.
 * Free-form data (`Schema.Record` of unknown values) is unchanged, except for resources annotated with `contains`.
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type Dialect, vocabularies } from "./Dialect.ts"

/** Renames the declared members of a value. */
export type Rename = (value: unknown) => unknown

/** The renames that a schema needs. */
interface Plan {
  /** New names of the schema's own members, by their old names. */
  readonly names: ReadonlyMap<string, string>
  /** Plans for the values of members, by the old names of the members. */
  readonly members: ReadonlyMap<string, Plan>
  /** Plan for every element of an array. */
  readonly elements?: Plan | undefined
}

declare module "effect/Schema" {
  namespace Annotations {
    interface Annotations {
      /** Schemas of the resources inside a free-form object. */
      readonly "tongs/contains"?: SchemaAST.AST | undefined
    }
  }
}

/** Creates the annotation of a free-form object that contains resources: `contains({ sender: UserSummary })`. */
export const contains = (members: Schema.Struct.Fields) => ({ "tongs/contains": Schema.Struct(members).ast })

/** Returns a function that renames from the specification to the dialect; undefined if the schema needs no renames. */
export const fromService = (dialect: Dialect, schema: Schema.Top): Rename | undefined =>
  make(compilers[dialect].fromService, schema)

/** Returns a function that renames from the dialect to the specification; undefined if the schema needs no renames. */
export const toService = (dialect: Dialect, schema: Schema.Top): Rename | undefined =>
  make(compilers[dialect].toService, schema)

type Compile = (ast: SchemaAST.AST) => Plan | undefined

const make = (compile: Compile | undefined, schema: Schema.Top): Rename | undefined => {
  const plan = compile?.(SchemaAST.toEncoded(schema.ast))
  return plan === undefined ? undefined : (value) => apply(plan, value)
}

/** Renames the members of a value. Copies changed objects, because responses share values. */
const apply = (plan: Plan, value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  const { elements, members, names } = plan
  if (Array.isArray(value)) return elements === undefined ? value : value.map((item) => apply(elements, item))
  if (names.size === 0) {
    // A spread is several times faster than copying each member.
    const copy: Record<string, unknown> = { ...value }
    for (const [name, inner] of members) if (Object.hasOwn(copy, name)) copy[name] = apply(inner, copy[name])
    return copy
  }
  const copy: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const inner = members.get(name)
    const renamed = inner === undefined ? member : apply(inner, member)
    if (name === "__proto__") Object.defineProperty(copy, name, { ...ordinary, value: renamed })
    else copy[names.get(name) ?? name] = renamed
  }
  return copy
}

/** Property attributes for `defineProperty`, because an assignment to `__proto__` would set the prototype. */
const ordinary = { enumerable: true, configurable: true, writable: true }

/**
 * Creates a compiler of plans. `renamed` has the old and the new name of each declared member that differs between
 * dialects.
 */
const compiler = (renamed: ReadonlyMap<string, readonly [before: string, after: string]>): Compile => {
  /** Plans by schema, because endpoints share schemas. */
  const known = new WeakMap<SchemaAST.AST, { readonly plan: Plan | undefined }>()

  const compile: Compile = (ast) => {
    let found = known.get(ast)
    if (found === undefined) {
      found = { plan: plan(ast) }
      known.set(ast, found)
    }
    return found.plan
  }

  const plan = (ast: SchemaAST.AST): Plan | undefined => {
    const contained = ast.annotations?.["tongs/contains"]
    if (contained !== undefined) return compile(contained)
    switch (ast._tag) {
      case "Arrays": {
        const elements = merge([...ast.elements, ...ast.rest].map(compile))
        return elements === undefined ? undefined : { names: new Map(), members: new Map(), elements }
      }
      case "Union":
        return merge(ast.types.map(compile))
      case "Objects":
        return merge(ast.propertySignatures.map(({ name, type }) => member(String(name), compile(type))))
      default:
        return undefined
    }
  }

  const member = (declared: string, inner: Plan | undefined): Plan | undefined => {
    const [before, after] = renamed.get(declared) ?? [declared, declared]
    if (before === after && inner === undefined) return undefined
    return {
      names: new Map(before === after ? [] : [[before, after]]),
      members: new Map(inner === undefined ? [] : [[before, inner]])
    }
  }

  return compile
}

const merge = (plans: ReadonlyArray<Plan | undefined>): Plan | undefined =>
  plans.reduce(
    (all, plan) => (all === undefined || all === plan ? plan : plan === undefined ? all : both(all, plan)),
    undefined
  )

const both = (one: Plan, other: Plan): Plan => {
  const members = new Map(one.members)
  for (const [name, plan] of other.members) members.set(name, merge([members.get(name), plan]) ?? plan)
  return {
    names: new Map([...one.names, ...other.names]),
    members,
    elements: merge([one.elements, other.elements])
  }
}

const compilersOf = (dialect: Dialect) => {
  const names = Object.entries(vocabularies[dialect].members)
  return names.length === 0
    ? {}
    : {
        fromService: compiler(new Map(names.map(([service, own]) => [service, [service, own]]))),
        toService: compiler(new Map(names.map(([service, own]) => [service, [own, service]])))
      }
}
const compilers: Readonly<Record<Dialect, { readonly fromService?: Compile; readonly toService?: Compile }>> = {
  service: compilersOf("service"),
  github: compilersOf("github")
}
