import { assert, it } from "@effect/vitest"
import * as ArgumentAlias from "./ArgumentAlias.ts"

it("gives arguments the names that a tool has", () => {
  const names = ["path", "lines", "ref", "repo"]
  for (const [given, expected] of [
    [
      { file_path: "a", branch: "b" },
      { path: "a", ref: "b" }
    ],
    [
      { path: "a", start_line: 3, end_line: 9 },
      { path: "a", lines: "3-9" }
    ],
    [
      { path: "a", start_line: 3 },
      { path: "a", lines: "3-" }
    ],
    [{ owner: "octo", repo: "hello" }, { repo: "octo/hello" }],
    // An argument that the tool knows is not replaced.
    [
      { path: "a", file: "b" },
      { path: "a", file: "b" }
    ],
    [
      { owner: "octo", repo: "octo/hello" },
      { owner: "octo", repo: "octo/hello" }
    ],
    [{ per_page: 3 }, { per_page: 3 }],
    [{ file: ["a"] }, { file: ["a"] }]
  ] as const)
    assert.deepStrictEqual(ArgumentAlias.resolve(given, names), expected)
  assert.deepStrictEqual(ArgumentAlias.resolve({ owner: "o", repo: "r" }, ["owner", "repo"]), { owner: "o", repo: "r" })
})
