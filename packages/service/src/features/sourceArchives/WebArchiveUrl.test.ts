import { assert, it } from "@effect/vitest"
import * as WebArchiveUrl from "./WebArchiveUrl.ts"

it("maps web addresses of archives to endpoints", () => {
  for (const [path, endpoint] of [
    ["/o/r/archive/main.zip", "/repos/o/r/zipball/main"],
    ["/o/r/archive/refs/heads/a/b.tar.gz", "/repos/o/r/tarball/refs/heads/a/b"],
    ["/o/r/archive/v1.0.zip.tar.gz", "/repos/o/r/tarball/v1.0.zip"],
    ["/o/r/archive/main.rar", undefined],
    ["/o/r/archive/.zip", undefined],
    ["/o/r/archive/", undefined],
    ["/o/r/tree/archive/main.zip", undefined],
    ["/repos/o/archive/contents/a.zip", undefined],
    ["/repos/archive/archive/contents/a.zip", undefined],
    ["/raw/o/archive/main/a.zip", undefined],
    ["/tongs/repos/archive/r/a.zip", undefined]
  ] as const) {
    assert.strictEqual(WebArchiveUrl.endpointPath(path), endpoint, path)
  }
})

it("names archives as GitHub does", () => {
  for (const [ref, name] of [
    ["refs/heads/main", "main"],
    ["refs/tags/v1.0", "1.0"],
    ["v1.0", "1.0"],
    ["very", "very"]
  ] as const) {
    assert.strictEqual(WebArchiveUrl.shortName(ref), name)
  }
})
