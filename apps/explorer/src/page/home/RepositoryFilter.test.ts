import { assert, describe, it } from "@effect/vitest"
import * as RepositoryFilter from "./RepositoryFilter.ts"

const repository = (repo: string, size: number, pushedAt: string | null, description: string | null = null) => ({
  owner: "octo",
  repo,
  description,
  defaultBranch: "main",
  language: "Go",
  private: false,
  archived: false,
  size,
  pushedAt
})

const all = RepositoryFilter.rows(
  [
    repository("beta", 5, "2026-01-02T00:00:00Z"),
    repository("alpha", 9, "2026-01-03T00:00:00Z", "Keeps the Lamp"),
    repository("gamma", 7, null)
  ],
  []
)

const names = (filter: string, order: RepositoryFilter.Order = "name") =>
  RepositoryFilter.select(all, filter, order).map(({ repository }) => repository.repo)

describe("RepositoryFilter", () => {
  it("finds every word in the name, the description or the language", () => {
    assert.deepStrictEqual(names(""), ["alpha", "beta", "gamma"])
    assert.deepStrictEqual(names("OCTO/b"), ["beta"])
    assert.deepStrictEqual(names("lamp go"), ["alpha"])
    assert.deepStrictEqual(names("lamp rust"), [])
  })

  it("sorts", () => {
    assert.deepStrictEqual(names("", "pushed"), ["alpha", "beta", "gamma"])
    assert.deepStrictEqual(names("", "size"), ["alpha", "gamma", "beta"])
  })
})
