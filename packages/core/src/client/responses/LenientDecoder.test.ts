import { assert, describe, it } from "@effect/vitest"
import { type CatalogEntry, entries, successSchema } from "../../contract/Catalog.ts"
import * as Samples from "../../contract/Samples.test-support.ts"
import * as CatalogEndpoint from "../CatalogEndpoint.ts"
import { MAX_REPORTED } from "./LenientDecoder.ts"

interface Read {
  readonly value?: unknown
  readonly unexpected?: ReadonlyArray<string>
  readonly missing?: string
}

/** Decodes a body like a call: strictly, then leniently. */
const reader = (entry: CatalogEntry) => {
  const { decode, decodeLeniently } = CatalogEndpoint.make(entry)
  return (body: unknown): Read => {
    const decoded = decode(body)
    return "value" in decoded ? { ...decoded, unexpected: [] } : decodeLeniently(body)
  }
}

type Path = ReadonlyArray<string | number>

/** All members of a value, at any depth. */
const paths = (value: unknown, path: Path = []): ReadonlyArray<Path> => {
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => paths(item, [...path, index]))
  return Object.entries(value).flatMap(([name, member]) => [[...path, name], ...paths(member, [...path, name])])
}

const at = (value: unknown, [name, ...rest]: Path): unknown =>
  name === undefined ? value : at(Object(value)[name], rest)

/** A copy of a value, changed at a path. */
const changed = (
  value: unknown,
  path: Path,
  change: (parent: Record<string, unknown>, name: string | number) => void
): unknown => {
  const copy = structuredClone(value)
  const last = path.at(-1)
  if (last !== undefined) change(Object(at(copy, path.slice(0, -1))), last)
  return copy
}

const mutations: Readonly<Record<string, (value: unknown, path: Path) => unknown>> = {
  dropped: (value, path) => changed(value, path, (parent, name) => delete parent[name]),
  "set to null": (value, path) => changed(value, path, (parent, name) => void (parent[name] = null)),
  "of another type": (value, path) =>
    changed(value, path, (parent, name) => {
      const member: unknown = parent[name]
      parent[name] = typeof member === "number" ? String(member) : typeof member === "string" ? 17 : "x"
    }),
  "with a new value": (value, path) =>
    changed(value, path, (parent, name) => {
      if (typeof parent[name] === "string") parent[name] = "brand_new"
    }),
  "with a new member beside it": (value, path) =>
    changed(value, path, (parent) => void (parent["brand_new"] = { a: [] }))
}

/** Members that identify a resource, and the list of a page. */
const identity =
  /\["(id|sha|ref|login|full_name|name|items|artifacts|installations|repositories|check_runs|check_suites|workflows|workflow_runs|jobs|actions_caches|secrets|variables|environments|branch_policies|\w+_rules|\w+_integrations)"\]$/

/** True in `npm run test:long`, which changes all members. `npm test` changes a fifth of them. */
const isLong = process.env["TONGS_LONG_TESTS"] !== undefined

describe("one member of a response at a time may differ", () => {
  const seen = new Set<string>()
  for (const entry of entries) {
    const sample = Samples.of(successSchema(entry.endpoint))
    // Operations with the same resource decode it in the same way.
    const text = JSON.stringify(sample)
    if (seen.has(text)) continue
    seen.add(text)
    const read = reader(entry)
    const fifth = seen.size % 5
    it(`${entry.group}.${entry.name}`, () => {
      for (const [index, path] of paths(sample).entries()) {
        if (!isLong && index % 5 !== fifth) continue
        for (const [name, mutate] of Object.entries(mutations)) {
          const result = read(mutate(sample, path))
          if ("value" in result) continue
          // An object without the only member is empty, which is rejected.
          if (result.missing === "" && Object.keys(Object(sample)).length === 1 && name === "dropped") continue
          assert.match(result.missing ?? "", identity, `${path.join(".")} ${name}`)
          assert.include(["dropped", "set to null", "of another type", "with a new value"], name)
        }
      }
    })
  }
})

it("rejects an object without any declared member", () => {
  for (const entry of entries) {
    const { ast } = successSchema(entry.endpoint)
    const isRequired = ast._tag === "Objects" && ast.propertySignatures.some(({ type }) => !type.context?.isOptional)
    if (isRequired) assert.property(reader(entry)({ message: "ok" }), "missing", `${entry.group}.${entry.name}`)
  }
})

describe("a member that does not match its declaration", () => {
  const find = (group: string, name: string) => {
    const entry = entries.find((entry) => entry.group === group && entry.name === name)
    assert.isDefined(entry)
    return { read: reader(entry), sample: Samples.of(successSchema(entry.endpoint)) }
  }

  it("is omitted, or null if its type allows that, and is reported", () => {
    const { read, sample } = find("repositories", "get")
    for (const name of ["node_id", "private", "topics"]) {
      const { unexpected, value } = read(changed(sample, [name], (parent) => void (parent[name] = {})))
      assert.notProperty(value, name)
      assert.deepStrictEqual(unexpected, [`["${name}"]`])
    }
    const { unexpected, value } = read(mutations["dropped"]?.(sample, ["description"]))
    assert.propertyVal(value, "description", null)
    assert.deepStrictEqual(unexpected, ['["description"]'])
  })

  it("is converted if that is lossless", () => {
    const { read, sample } = find("users", "getAuthenticated")
    const { unexpected, value } = read({ ...Object(sample), id: "17", bio: 18 })
    assert.deepInclude(value, { id: 17, bio: "18" })
    assert.sameMembers([...(unexpected ?? [])], ['["id"]', '["bio"]'])
    assert.deepStrictEqual(read({ ...Object(sample), id: "1e3" }), { missing: '["id"]' })
  })

  it("does not affect the other members", () => {
    const { read, sample } = find("repositories", "get")
    const { value } = read(mutations["dropped"]?.(sample, ["node_id"]))
    assert.deepStrictEqual(value, mutations["dropped"]?.(sample, ["node_id"]))
  })

  it("fails the call if it identifies a resource or a required inner resource", () => {
    const { read, sample } = find("gitRefs", "get")
    assert.deepStrictEqual(read(mutations["dropped"]?.(sample, ["ref"])), { missing: '["ref"]' })
    assert.deepStrictEqual(read(mutations["dropped"]?.(sample, ["object", "sha"])), { missing: '["object"]["sha"]' })
    assert.deepInclude(read(mutations["dropped"]?.(sample, ["object"])), { unexpected: ['["object"]'] })
  })

  it("fails the call if it is a name or an object id that is not text", () => {
    const { read, sample } = find("gitRefs", "get")
    for (const ref of [7, true, ["refs/heads/a"], { name: "a" }]) {
      assert.deepStrictEqual(read({ ...Object(sample), ref }), { missing: '["ref"]' })
    }
    const object = { ...Object(sample).object, sha: 1234567 }
    assert.deepStrictEqual(read({ ...Object(sample), object }), { missing: '["object"]["sha"]' })
    const me = find("users", "getAuthenticated")
    assert.deepStrictEqual(me.read({ ...Object(me.sample), login: 18 }), { missing: '["login"]' })
  })

  it("is omitted if it is a list instead of a resource", () => {
    const { read, sample } = find("gitRefs", "get")
    const { unexpected, value } = read({ ...Object(sample), object: [] })
    assert.notProperty(value, "object")
    assert.deepStrictEqual(unexpected, ['["object"]'])
  })

  it("is omitted if it is an optional resource without its identity", () => {
    const { read, sample } = find("events", "listPublic")
    const { unexpected, value } = read(mutations["dropped"]?.(sample, [0, "org", "id"]))
    assert.notProperty(Object(value)[0], "org")
    assert.deepStrictEqual(unexpected, ['[*]["org"]'])
  })

  it("is reported once for all elements of a list", () => {
    const { read, sample } = find("events", "listPublic")
    const many = Array.from({ length: 50 }, () => ({ ...Object(sample)[0], public: null, org: null }))
    const { unexpected, value } = read(many)
    assert.lengthOf(Object(value), 50)
    assert.deepStrictEqual(unexpected, ['[*]["org"]', '[*]["public"]'])
    assert.isAtMost(read(many.map(() => ({ id: "1" }))).unexpected?.length ?? 0, MAX_REPORTED)
  })

  it("can be the numeric id of an event, which becomes text", () => {
    const { read, sample } = find("events", "listPublic")
    const { unexpected, value } = read([{ ...Object(sample)[0], id: 22249084947 }])
    assert.deepInclude(Object(value)[0], { id: "22249084947" })
    assert.deepStrictEqual(unexpected, [])
  })

  for (const body of [null, 1, "x", []]) {
    it(`cannot be the whole resource: ${JSON.stringify(body)} is rejected`, () => {
      assert.deepStrictEqual(find("repositories", "get").read(body), { missing: "" })
    })
  }
})
