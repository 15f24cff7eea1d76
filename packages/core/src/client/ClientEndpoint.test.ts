import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as UrlParams from "effect/http/UrlParams"
import { entries, successSchema } from "../contract/Catalog.ts"
import * as RelationSamples from "../contract/Relations.test-support.ts"
import * as Relations from "../contract/Relations.ts"
import * as Renaming from "../contract/Renaming.ts"
import * as Samples from "../contract/Samples.test-support.ts"
import * as SchemaShape from "../contract/SchemaShape.ts"
import * as CatalogEndpoint from "./CatalogEndpoint.ts"
import type { RawInput } from "./RawCall.ts"

const endpoint = (name: string) => {
  const entry = entries.find((entry) => `${entry.group}.${entry.name}` === name)
  assert.isDefined(entry, name)
  return CatalogEndpoint.make(entry)
}

const encoded = (name: string, input: RawInput) =>
  Effect.map(endpoint(name).toRequest(input), ({ body, method, url, urlParams }) => ({
    line: `${method} ${url}`,
    query: UrlParams.toString(urlParams),
    body: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  }))

it.effect("encodes path parameters, including slashes", () =>
  Effect.gen(function* () {
    const { line } = yield* encoded("gitRefs.get", { owner: "o ü", repo: "r?#%", ref: "heads/a b/c" })
    assert.strictEqual(line, "GET /repos/o%20%C3%BC/r%3F%23%25/git/ref/heads%2Fa%20b%2Fc")
  })
)

it.effect("sends a body of text unchanged", () =>
  Effect.gen(function* () {
    const { body } = yield* endpoint("markdown.renderRaw").toRequest({ text: "*ü*" })
    assert(body._tag === "Uint8Array")
    assert.deepStrictEqual([new TextDecoder().decode(body.body), body.contentType], ["*ü*", "text/plain"])
  })
)

it.effect("omits optional parameters without a value", () =>
  Effect.gen(function* () {
    assert.strictEqual(
      (yield* encoded("contents.get", { owner: "o", repo: "r", path: "" })).line,
      "GET /repos/o/r/contents"
    )
    assert.strictEqual((yield* encoded("contents.get", { owner: "o", repo: "r" })).line, "GET /repos/o/r/contents")
    assert.strictEqual(
      (yield* encoded("contents.get", { owner: "o", repo: "r", path: "a/b" })).line,
      "GET /repos/o/r/contents/a%2Fb"
    )
  })
)

for (const value of ["", ".", "..", undefined, "\udfff"]) {
  it.effect(`rejects ${JSON.stringify(value)} in a path`, () =>
    Effect.gen(function* () {
      for (const input of [
        { owner: value, repo: "r", ref: "heads/a" },
        { owner: "o", repo: value, ref: "heads/a" },
        { owner: "o", repo: "r", ref: value }
      ]) {
        const error = yield* Effect.flip(encoded("gitRefs.get", input))
        assert.deepInclude(
          { ...error },
          { _tag: "ValidationFailed", request: "GET /repos/:owner/:repo/git/ref/:ref", status: 400 }
        )
      }
    })
  )
}

it.effect("sends query values as text", () =>
  Effect.gen(function* () {
    const { line, query } = yield* encoded("commits.list", {
      owner: "o",
      repo: "r",
      path: "a b",
      per_page: 5,
      since: undefined
    })
    assert.strictEqual(line, "GET /repos/o/r/commits")
    assert.strictEqual(query, "path=a+b&per_page=5")
  })
)

it.effect("sends dates as timestamps", () =>
  Effect.gen(function* () {
    const at = { owner: "o", repo: "r" }
    const date = new Date("2026-01-31T12:00:00Z")
    const { query } = yield* encoded("commits.list", { ...at, since: date, until: new Date("2026-01-31T12:00:00.5Z") })
    assert.strictEqual(query, "since=2026-01-31T12%3A00%3A00Z&until=2026-01-31T12%3A00%3A00.500Z")
    const author = { name: "n", email: "e", date }
    const { body } = yield* encoded("gitCommits.create", { ...at, message: "m", tree: "t", parents: ["p"], author })
    assert.deepStrictEqual(JSON.parse(body), {
      message: "m",
      tree: "t",
      parents: ["p"],
      author: { name: "n", email: "e", date: "2026-01-31T12:00:00Z" }
    })
    const wrong = yield* Effect.flip(encoded("commits.list", { ...at, since: new Date(Number.NaN) }))
    assert.include(wrong.detail, '["since"]')
  })
)

it.effect("sends the body as JSON", () =>
  Effect.gen(function* () {
    const created = yield* encoded("gitRefs.create", {
      owner: "o",
      repo: "r",
      ref: "refs/heads/x",
      sha: "1",
      force: undefined
    })
    assert.deepStrictEqual(created, {
      line: "POST /repos/o/r/git/refs",
      query: "",
      body: '{"ref":"refs/heads/x","sha":"1"}'
    })
    const updated = yield* encoded("gitRefs.update", { owner: "o", repo: "r", ref: "heads/x", sha: "1", force: true })
    assert.deepStrictEqual(updated, {
      line: "PATCH /repos/o/r/git/refs/heads%2Fx",
      query: "",
      body: '{"sha":"1","force":true}'
    })
    assert.strictEqual((yield* encoded("gitRefs.delete", { owner: "o", repo: "r", ref: "heads/x" })).body, "")
  })
)

it.effect("names the invalid value before sending anything", () =>
  Effect.gen(function* () {
    const query = yield* Effect.flip(encoded("repositories.listForAuthenticatedUser", { visibility: "secret" }))
    assert.include(query.detail, '["visibility"]')
    const body = yield* Effect.flip(encoded("gitRefs.create", { owner: "o", repo: "r", ref: "refs/heads/x" }))
    assert.include(body.detail, '["sha"]')
  })
)

it.effect("accepts the arguments of an item for everything that opens from it", () =>
  Effect.gen(function* () {
    let opened = 0
    for (const entry of entries.filter(({ readonly }) => readonly)) {
      const targets = new Set([...Relations.details(entry), ...Relations.children(entry)])
      for (const target of targets) {
        const item = RelationSamples.item(entry, RelationSamples.namesOf(entry, target))
        const known = Relations.argumentsOf(entry, RelationSamples.requiredInput(entry), item)
        const { known: input, missing } = Relations.input(target, known)
        const label = `${RelationSamples.nameOf(entry)}: ${RelationSamples.nameOf(target)}`
        assert.isTrue(Relations.isAddressed(target, known), label)
        const typed = Object.fromEntries(missing.map(({ name }) => [name, "2026-01-31T12:00:00Z"]))
        const { url } = yield* CatalogEndpoint.make(target).toRequest({ ...typed, ...input })
        assert.notMatch(url, /undefined|null|object/, label)
        opened += 1
      }
    }
    assert.isAbove(opened, 150)
  })
)

it("decodes a success in the github dialect to the names of the documents", () => {
  let renamed = 0
  for (const entry of entries) {
    const success = successSchema(entry.endpoint)
    const service = Samples.of(success)
    const github = Renaming.fromService("github", SchemaShape.of(success))?.(service) ?? service
    if (JSON.stringify(github) !== JSON.stringify(service)) renamed += 1
    const expected = CatalogEndpoint.make(entry, "service").decode(service)
    assert.deepStrictEqual(CatalogEndpoint.make(entry, "github").decode(github), expected, entry.endpoint.path)
  }
  assert.isAbove(renamed, 10)
})

it("knows which error statuses are declared, and whether a success has a body", () => {
  const { declares } = endpoint("gitRefs.get")
  assert.deepStrictEqual([404, 409, 410, 422].map(declares), [true, true, false, false])
  assert.deepStrictEqual([404, 409].map(endpoint("users.getAuthenticated").declares), [false, false])
  assert.isTrue(endpoint("gitRefs.get").hasBody(200))
  assert.isTrue(endpoint("branches.list").hasBody(200))
  assert.isFalse(endpoint("gitRefs.delete").hasBody(204))
  assert.isTrue(endpoint("branches.merge").hasBody(201))
  assert.isFalse(endpoint("branches.merge").hasBody(204))
})
