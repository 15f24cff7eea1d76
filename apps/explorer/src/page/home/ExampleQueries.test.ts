import { assert, describe, it } from "@effect/vitest"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as Result from "effect/Result"
import * as ExampleQueries from "./ExampleQueries.ts"

const file: ExampleQueries.SampleFile = {
  owner: "octo",
  repo: "hello",
  path: "my src/lamp/beam.ts",
  language: "TypeScript",
  symbols: [
    { name: "on click", kind: "method", line: 1 },
    { name: "turnLamp", kind: "function", line: 2 },
    { name: "Beam", kind: "class", line: 3 }
  ]
}

const queries = (...given: Parameters<typeof ExampleQueries.fromSample>) =>
  ExampleQueries.fromSample(...given).map(({ q }) => q)

describe("ExampleQueries", () => {
  it("uses the names of a file and a word of a commit", () => {
    assert.deepStrictEqual(queries(file, "Fix the lantern"), [
      "symbol:Beam",
      "/\\bturn\\w+/",
      'turnLamp path:"my src/lamp"',
      "turnLamp language:typescript",
      "type:commit lantern",
      "Beam repo:octo/hello"
    ])
    assert.deepStrictEqual(queries(undefined, "Fix the lantern"), ["type:commit lantern"])
    assert.deepStrictEqual(queries({ ...file, symbols: [] }, undefined), [])
  })

  it("gives valid queries", () => {
    for (const q of queries(file, "Fix the lantern")) assert.isTrue(Result.isSuccess(CodeQueryParser.parse(q)), q)
    const repository = {
      owner: "octo",
      repo: "hello",
      description: null,
      defaultBranch: "main",
      language: "Jupyter Notebook",
      private: false,
      archived: false,
      size: 1,
      pushedAt: null
    }
    for (const { q } of ExampleQueries.fromRepository(repository))
      assert.isTrue(Result.isSuccess(SearchQuery.parse(q)), q)
  })
})
