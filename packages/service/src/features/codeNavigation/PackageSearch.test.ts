import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Forge from "../../main/Forge.test-support.ts"
import * as Aliases from "./PackageAliasCases.test-support.ts"
import { client, packages, queryOf, references, uses } from "./PackageCases.test-support.ts"

const { TestForge } = Forge

interface Item {
  readonly repo: string
  readonly path: string
  readonly line: number
  readonly certain?: boolean
  readonly package?: string
}

const prepare = (repos: string) => {
  for (const [name, files] of Object.entries(packages)) Forge.repository(repos, name, files)
  Forge.repository(repos, "client", client)
}

layer(Forge.layer(prepare))("packages of other repositories", (it) => {
  it.effect("leads from a use to the package that defines the name", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const wrong: Array<string> = []
      for (const [path, start, before, name, expected] of uses) {
        const query = queryOf(client, path, start, before)
        const { json } = yield* get(`/tongs${base}/client/definitions/${name}?${query}`)
        const found = json.items
          .filter((one: Item) => one.certain === true && one.repo !== "client")
          .map((one: Item) => `${one.repo} ${one.path}:${one.line}`)
        if (String(found) !== (expected ?? "")) wrong.push(`${path} ${before}${name}: ${found} instead of ${expected}`)
      }
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("lists all repositories with the same package, and none as certain", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const { json } = yield* get(`/tongs${base}/client/definitions/spin?${queryOf(client, "web/old.js", "spin(", "")}`)
      const found = json.items.filter((one: Item) => one.package === "acme-twin")
      assert.deepStrictEqual(
        found.map((one: Item) => [one.repo, one.line, one.certain]),
        [
          ["twin", 1, undefined],
          ["twincopy", 2, undefined]
        ]
      )
    })
  )

  it.effect("lists the uses in repositories that import the package", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const wrong: Array<unknown> = []
      for (const [repo, path, start, before, name, expected] of references) {
        const query = queryOf({ ...packages[repo], ...(repo === "client" ? client : {}) }, path, start, before)
        const { json } = yield* get(`/tongs${base}/${repo}/references/${name}?${query}&per_page=100`)
        const found = json.items
          .filter((one: Item) => one.certain === true && one.package !== undefined)
          .map((one: Item) => `${one.repo === "client" ? "" : one.repo}${one.path}:${one.line}`)
        if (String(found.toSorted()) !== String(expected.toSorted())) wrong.push([repo, name, found, expected])
      }
      assert.deepStrictEqual(wrong, [])
    })
  )
})

const prepareAliases = (repos: string) => {
  for (const [name, files] of Object.entries(Aliases.packages)) Forge.repository(repos, name, files)
  Forge.repository(repos, "client", Aliases.client)
}

layer(Forge.layer(prepareAliases))("packages with other names", (it) => {
  it.effect("follows aliases, and is uncertain about a package that an alias can hide", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const wrong: Array<string> = []
      for (const [path, start, before, name, expected] of Aliases.uses) {
        const query = queryOf(Aliases.client, path, start, before)
        const { json } = yield* get(`/tongs${base}/client/definitions/${name}?${query}`)
        const found = json.items
          .filter((one: Item) => one.certain === true)
          .map((one: Item) => `${one.repo} ${one.path}:${one.line}`)
        if (String(found) !== expected) wrong.push(`${path} ${name}: ${found} instead of ${expected}`)
        if (expected === "") assert.strictEqual(json.items[0]?.package, name === "far" ? "linked" : name)
      }
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("lists the uses by another name as uses of the package", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const list = Effect.fnUntraced(function* (
        repo: string,
        name: string,
        start: string,
        before: string,
        path: string
      ) {
        const query = queryOf(Aliases.packages[repo] ?? {}, path, start, before)
        const { json } = yield* get(`/tongs${base}/${repo}/references/${name}?${query}&per_page=100`)
        return json.items
          .filter((one: Item) => one.repo === "client" && one.package !== undefined)
          .map((one: Item) => `${one.path}:${one.line} ${one.certain === true}`)
      })
      // The squatter's name means another package in the client.
      assert.deepStrictEqual(yield* list("lodash", "draw", "export const draw", "export const ", "index.ts"), [])
      assert.deepStrictEqual(yield* list("linked", "far", "export const far", "export const ", "index.ts"), [
        "web/app.ts:6 false",
        "web/app.ts:14 false"
      ])
    })
  )
})

const hide = (repos: string) => {
  Forge.repository(repos, "lamp", packages["lamp"])
  Forge.repository(repos, "client", client)
  Forge.repository(repos, "twin", packages["twin"])
  Forge.repository(repos, "twincopy", packages["twincopy"])
}

layer(Forge.layer(hide))("packages of private repositories", (it) => {
  it.effect("counts only for those who may read the repository", () =>
    Effect.gen(function* () {
      const { ask, base, get, token, user } = yield* TestForge
      for (const name of ["lamp", "twincopy"]) {
        assert.strictEqual((yield* ask("PATCH", `${base}/${name}`, { body: { private: true } })).status, 200)
      }
      const guest = yield* token({ userId: yield* user({ login: "guest" }), kind: "classic", scopes: ["repo"] })
      const list = Effect.fnUntraced(function* (name: string, start: string, path: string, options: Forge.Ask) {
        const query = queryOf(client, path, start, "")
        const { json } = yield* get(`/tongs${base}/client/definitions/${name}?${query}`, options)
        return json.items
          .filter(({ repo }: Item) => repo !== "client")
          .map((one: Item) => `${one.repo} ${one.certain === true}`)
      })
      const render = (options: Forge.Ask) => list("render", "render(", "web/app.ts", options)
      const spin = (options: Forge.Ask) => list("spin", "spin(", "web/old.js", options)
      assert.deepStrictEqual(yield* render({}), ["lamp true"])
      assert.deepStrictEqual(yield* render({ token: guest }), [])
      assert.deepStrictEqual(yield* render({ token: null }), [])
      // A hidden repository with the same package does not make the visible one uncertain.
      assert.deepStrictEqual(yield* spin({}), ["twin false", "twincopy false"])
      assert.deepStrictEqual(yield* spin({ token: guest }), ["twin true"])
      assert.deepStrictEqual(yield* spin({ token: null }), ["twin true"])
    })
  )
})
