/** The size of packages with all dependencies. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { dirname, join } from "node:path"
import * as Schema from "effect/Schema"
import { root } from "../BenchmarkEnvironment.ts"

const Manifest = Schema.fromJsonString(
  Schema.Struct({ dependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)) })
)
const decode = Schema.decodeUnknownSync(Manifest)

/** True if the published forms of the core and the client are built. */
export const isBuilt = ["core", "client"].every((name) => existsSync(join(root, "packages", name, "dist")))

const bytes = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + bytes(path)
    return entry.isFile() ? sum + statSync(path).size : sum
  }, 0)

/** Adds the folders of packages and of all dependencies to `found`. */
const folders = (names: ReadonlyArray<string>, from: string, found: Set<string>): Set<string> => {
  for (const name of names) {
    const manifest = findPackageJSON(name, from)
    if (manifest === undefined) continue
    const folder = dirname(realpathSync(manifest))
    if (found.has(folder)) continue
    found.add(folder)
    const { dependencies = {} } = decode(readFileSync(manifest, "utf8"))
    folders(Object.keys(dependencies), realpathSync(manifest), found)
  }
  return found
}

/**
 * The number and kilobytes of packages with all dependencies. Packages of this workspace count with built files only.
 */
export const measure = (names: ReadonlyArray<string>) => {
  const found = [...folders(names, import.meta.filename, new Set())]
  const own = join(root, "packages")
  const total = found.reduce((sum, folder) => {
    if (!folder.startsWith(own)) return sum + bytes(folder)
    return isBuilt ? sum + bytes(join(folder, "dist")) : sum
  }, 0)
  return { kilobytes: total / 1000, count: found.length }
}
