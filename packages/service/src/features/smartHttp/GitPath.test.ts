import { assert, it } from "@effect/vitest"
import { entries } from "@tongs/core/contract/Catalog"
import * as GitPath from "./GitPath.ts"

it("parses clone URLs with and without .git", () => {
  const parsed: ReadonlyArray<readonly [string, GitPath.GitPath | undefined]> = [
    ["/ada/app.git/info/refs", { owner: "ada", name: "app", file: "info/refs" }],
    ["/ada/app/info/refs", { owner: "ada", name: "app", file: "info/refs" }],
    ["/ada/app/git-upload-pack", { owner: "ada", name: "app", file: "git-upload-pack" }],
    ["/ada/a.b/git-receive-pack", { owner: "ada", name: "a.b", file: "git-receive-pack" }],
    ["/ada/a%2Eb.git/git-upload-pack", { owner: "ada", name: "a.b", file: "git-upload-pack" }],
    ["/ada/app.git/objects/info/packs", { owner: "ada", name: "app", file: "objects/info/packs" }],
    ["/ada/app.git/info/lfs/objects/batch", { owner: "ada", name: "app", file: "info/lfs/objects/batch" }],
    ["/ada/app.git", undefined],
    ["/ada/app/HEAD", undefined],
    ["/ada/app/tree/main", undefined],
    ["/ada/%zz.git/info/refs", undefined]
  ]
  for (const [path, expected] of parsed) assert.deepStrictEqual(GitPath.parse(path), expected, path)
})

it("takes no path of the API", () => {
  for (const { endpoint, group, name } of entries) {
    const path = endpoint.path.replaceAll(/:\w+/g, "x")
    assert.isUndefined(GitPath.parse(path), `${group}.${name} ${path}`)
  }
})
