/** `npm start` installs the program's dependencies without development dependencies. */
import { globSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "./workspace.mjs"

/** @type {ReadonlyMap<string, { folder: string, manifest: any }>} */
const packages = new Map(
  globSync("{apps,packages}/*/package.json", { cwd: root }).map((path) => {
    const manifest = JSON.parse(readFileSync(join(root, path), "utf8"))
    return [manifest.name, { folder: join(root, path, ".."), manifest }]
  })
)

/** The packages of this workspace that the program contains. */
const contained = (/** @type {string} */ name, /** @type {Set<string>} */ found = new Set()) => {
  if (!packages.has(name) || found.has(name)) return found
  found.add(name)
  for (const dependency of Object.keys(packages.get(name)?.manifest.dependencies ?? {})) contained(dependency, found)
  return found
}

const importPattern = /^(?:import|export)(?! type\b)[^"'`;]*?from "([^".][^"]*)"|\bimport\("([^".][^"]*)"\)/gm

/** The packages that the sources import at run time. */
const imported = (/** @type {string} */ folder) => {
  const files = globSync("src/**/*.{ts,tsx}", { cwd: folder }).filter((path) => !/\.test(-support)?\.tsx?$/.test(path))
  const names = files.flatMap((path) =>
    [...readFileSync(join(folder, path), "utf8").matchAll(importPattern)].map(([, one, other]) => one ?? other ?? "")
  )
  return new Set(
    names.filter((name) => !isBuiltin(name)).map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"))
  )
}

it.each([...contained("tongs")])("%s declares what its sources import", (name) => {
  const { folder, manifest } = packages.get(name) ?? { folder: "", manifest: {} }
  const declared = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }
  expect([...imported(folder)].filter((one) => !(one in declared) && one !== name)).toEqual([])
})
