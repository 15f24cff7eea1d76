import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { selectRepositories } from "./CodeSearch.ts"

const repositories = ["A/one", "a/two", "b/one", "c/three"].map(
  (fullName) => ({ fullName }) as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the selection reads
)

const select = (q: string) => selectRepositories(Result.getOrThrow(CodeQueryParser.parse(q)), repositories)

const names = (q: string) => select(q).map(({ fullName }) => fullName)

it("selects by the filters for repositories", () => {
  assert.deepStrictEqual(names("word -user:a"), ["b/one", "c/three"])
  assert.deepStrictEqual(names("word user:a"), ["A/one", "a/two"])
  assert.deepStrictEqual(names("(word user:a) OR repo:c/three"), ["A/one", "a/two", "c/three"])
  assert.deepStrictEqual(names("(word OR user:a) -repo:a/one"), ["a/two", "b/one", "c/three"])
  assert.deepStrictEqual(names("repo:*/one -(word user:b)"), ["A/one", "b/one"])
  assert.deepStrictEqual(names("user:nobody"), [])
})

it("gives the same array for the same filters with other words, and for all repositories", () => {
  assert.strictEqual(select("first -user:a path:src"), select("other -user:a path:test"))
  assert.notStrictEqual(select("first -user:a"), select("first user:a"))
  assert.strictEqual(select("word"), repositories)
  assert.strictEqual(select("word -user:nobody"), repositories)
})
