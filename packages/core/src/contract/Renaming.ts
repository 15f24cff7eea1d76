/**
 * Renames members of JSON values between dialects. Only members that a schema of the contract declares get a new name:
 * free-form data (`Schema.Record` of unknown values) is unchanged, except for resources that it declares (`contains`).
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type Dialect, vocabularies } from "./Dialect.ts"

/** Renames the declared members of a value. */
export type Rename = (value: unknown) => unknown

/** The renames of one schema. */
interface Plan {
  /** Old names of own members, with their new names. */
  readonly names: ReadonlyMap<string, string>
  /** Members whose values need renames, by their old names. */
  readonly members: ReadonlyMap<string, Plan>
  /** For every element of an array. */
  readonly elements?: Plan | undefined
}

declare module "effect/Schema" {
  namespace Annotations {
    interface Annotations {
      /** Resources inside a free-form object. */
      readonly "tongs/contains"?: SchemaAST.AST | undefined
    }
  }
}

/** Annotation of a free-form object that contains resources: `contains({ sender: UserSummary })`. */
export const contains = (members: Schema.Struct.Fields) => ({ "tongs/contains": Schema.Struct(members).ast })

/** Renames from the documents' vocabulary to the dialect. Undefined if the schema needs no renames. */
export const fromService = (dialect: Dialect, schema: Schema.Top): Rename | undefined =>
  make(compilers[dialect].fromService, schema)

/** Renames from the dialect to the documents' vocabulary. Undefined if the schema needs no renames. */
export const toService = (dialect: Dialect, schema: Schema.Top): Rename | undefined =>
  make(compilers[dialect].toService, schema)

type Compile = (ast: SchemaAST.AST) => Plan | undefined

const make = (compile: Compile | undefined, schema: Schema.Top): Rename | undefined => {
  const plan = compile?.(SchemaAST.toEncoded(schema.ast))
  return plan === undefined ? undefined : (value) => apply(plan, value)
}

/** Copies changed objects, because responses share values. */
const apply = (plan: Plan, value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  const { elements, members, names } = plan
  if (Array.isArray(value)) return elements === undefined ? value : value.map((item) => apply(elements, item))
  if (names.size === 0) {
    // Several times faster than copying each member.
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

/** An assignment to `__proto__` would set the prototype. */
const ordinary = { enumerable: true, configurable: true, writable: true }

/** `renamed` has the old name of each declared member that has another one, with its new name. */
const compiler = (renamed: ReadonlyMap<string, readonly [before: string, after: string]>): Compile => {
  /** Endpoints share schemas, and so they share plans. */
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
