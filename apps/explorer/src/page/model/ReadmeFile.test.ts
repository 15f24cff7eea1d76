import { assert, it } from "@effect/vitest"
import type { FolderEntry } from "../../ExplorerApi.ts"
import * as ReadmeFile from "./ReadmeFile.ts"

const entries = (...names: ReadonlyArray<string>) =>
  names.map((name): FolderEntry => ({ name, path: name, kind: name.endsWith("/") ? "dir" : "file", size: 1 }))

it("prefers Markdown, and finds names in any case", () => {
  assert.strictEqual(ReadmeFile.find(entries("readme.txt", "README", "Readme.md"))?.name, "Readme.md")
  assert.strictEqual(ReadmeFile.find(entries("a", "README"))?.name, "README")
  assert.strictEqual(ReadmeFile.find(entries("readme.rst"))?.name, "readme.rst")
  assert.isUndefined(ReadmeFile.find(entries("README.md/", "readme.exe", "myreadme.md")))
})
