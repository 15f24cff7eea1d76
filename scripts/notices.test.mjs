import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { bundledPackages, mappedModules, notices, programNotices } from "./notices.mjs"

/** Creates the folder of a package. */
const install = (modules, name, manifest, licence) => {
  const folder = join(modules, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version: "1.0.0", ...manifest }))
  if (licence !== undefined) writeFileSync(join(folder, "LICENSE"), licence)
  return folder
}

const modulesFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "notices-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, "node_modules")
}

it("collects the packages of bundled modules, styles and fonts", () => {
  const folders = new Set()
  bundledPackages(folders).generateBundle.call(
    { getModuleIds: () => ["/w/node_modules/@fonts/inter/a.css", "/w/node_modules/unused/index.js"] },
    {},
    {
      "a.js": { type: "chunk", moduleIds: ["/w/src/a.ts", "\0/w/node_modules/a/node_modules/@b/c/d.js?commonjs"] },
      "a.css": { type: "asset" }
    }
  )
  expect([...folders]).toEqual(["/w/node_modules/@fonts/inter", "/w/node_modules/a/node_modules/@b/c"])
})

it("has the packages of source maps, and the code that they contain", () => {
  const modules = modulesFolder()
  install(modules, "effect", { license: "MIT" }, "MIT of Effect")
  const folder = install(modules, "../dist", {})
  mkdirSync(join(folder, "chunks"))
  const sources = ["../../node_modules/effect/src/Effect.ts", "../../src/a.ts"]
  writeFileSync(join(folder, "chunks/a.js.map"), JSON.stringify({ sources }))
  const text = notices(mappedModules(folder))
  expect(text).toContain("- effect 1.0.0 (MIT)\n\n    MIT of Effect\n")
  expect(text).not.toContain("@scalar")
  const page = "../../node_modules/effect/dist/http-api/internal/httpApiScalar.js"
  writeFileSync(join(folder, "chunks/b.js.map"), JSON.stringify({ sources: [page] }))
  expect(notices(mappedModules(folder))).toContain("- @scalar/api-reference (in effect)")
})

it("has the licence of each package once, and fails for a package without one", () => {
  const modules = modulesFolder()
  const effect = install(modules, "effect", { license: "MIT" }, "MIT of Effect")
  const platform = install(modules, "@effect/platform-node", { license: "MIT" }, "MIT of Effect")
  const bare = install(modules, "bare", { license: "MIT", author: { name: "Ada" } })
  const text = programNotices([platform, effect, bare])
  expect(text.split("MIT of Effect")).toHaveLength(2)
  expect(text).toContain("- @effect/platform-node 1.0.0 (MIT)\n- effect 1.0.0 (MIT)\n\n    MIT of Effect\n")
  expect(text).toContain("- bare 1.0.0 (MIT)\n\n    Copyright (c) Ada\n\n    Permission is hereby granted")
  expect(text).toContain("@scalar/api-reference (in effect)")
  expect(notices([join(effect, "index.js")])).not.toContain("openpgp")
  const unknown = install(modules, "unknown", { license: "Apache-2.0" })
  expect(() => notices([join(effect, "index.js"), join(unknown, "index.js")])).toThrow(
    "unknown has no file with its licence, Apache-2.0"
  )
})
