/**
 * Renames members of JSON values between dialects. Renames only members that a shape of the contract declares.
 * Free-form data is unchanged, except for resources that `contains` declares.
 */
import { type Dialect, vocabularies } from "./Dialect.ts"
import { type Composite, membersOf, type Shape } from "./Shape.ts"

/** Renames the declared members of a value. */
export type Rename = (value: unknown) => unknown

/** The renames that a shape needs. */
interface Plan {
  /** New names of the shape's own members, by old name. */
  readonly names: ReadonlyMap<string, string>
  /** Plans for the values of members, by the old names of the members. */
  readonly members: ReadonlyMap<string, Plan>
  /** Plan for every element of an array. */
  readonly elements?: Plan | undefined
}

/** Returns a function that renames from the specification to the dialect; undefined if the shape needs no renames. */
export const fromService = (dialect: Dialect, shape: Shape): Rename | undefined =>
  make(compilers[dialect].fromService, shape)

/** Returns a function that renames from the dialect to the specification; undefined if the shape needs no renames. */
export const toService = (dialect: Dialect, shape: Shape): Rename | undefined =>
  make(compilers[dialect].toService, shape)

type Compile = (shape: Shape) => Plan | undefined

const make = (compile: Compile | undefined, shape: Shape): Rename | undefined => {
  const plan = compile?.(shape)
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
  /** Plans by shape, because endpoints share shapes. */
  const known = new WeakMap<Composite, { readonly plan: Plan | undefined }>()

  const compile: Compile = (shape) => {
    if (typeof shape === "string") return undefined
    let found = known.get(shape)
    if (found === undefined) {
      found = { plan: plan(shape) }
      known.set(shape, found)
    }
    return found.plan
  }

  const plan = (shape: Composite): Plan | undefined => {
    if (shape.contains !== undefined) return compile(shape.contains)
    if ("union" in shape) return merge(shape.union.map(compile))
    if ("object" in shape) return merge(membersOf(shape.object).map(({ name, shape }) => member(name, compile(shape))))
    const elements = merge("array" in shape ? [compile(shape.array)] : "tuple" in shape ? shape.tuple.map(compile) : [])
    return elements === undefined ? undefined : { names: new Map(), members: new Map(), elements }
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
