import { assert, describe, it } from "@effect/vitest"
import * as Manifests from "./Manifests.ts"

describe("Manifests", () => {
  it("leaves out the manifests of copies and samples", () => {
    const manifests = [
      "package.json",
      "packages/testing/package.json",
      "packages/test/package.json",
      "docs/package.json",
      "crates/lamp/Cargo.toml"
    ]
    const copies = [
      "node_modules/a/package.json",
      "test/fixtures/lodash/package.json",
      "examples/a/go.mod",
      "a/testdata/x/go.mod",
      "a/tsconfig.json",
      "vendor/a/b/go.mod"
    ]
    assert.deepStrictEqual(
      manifests.filter((path) => !Manifests.isManifest(path)),
      []
    )
    assert.deepStrictEqual(copies.filter(Manifests.isManifest), [])
  })
})
