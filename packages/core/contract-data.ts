/**
 * Replaces modules of the clients by their exported data: the published clients need neither the declarations of the
 * contract nor the schemas.
 */
import * as Path from "node:path"
import { execFileSync } from "node:child_process"
import type { Plugin } from "rolldown"

const folder = Path.join(import.meta.dirname, "src/client/contract")

/** The folder of the modules of the groups, which exist in the build only. */
export const groupFolder = Path.join(folder, "groups")

/** Maximum size of a module's value in bytes. */
const MAX_DATA = 16 * 1024 * 1024

/** Evaluates a module, and returns the exported `value` as JSON. */
const evaluate = (path: string): string => {
  const print = `process.stdout.write(JSON.stringify((await import(${JSON.stringify(path)})).value))`
  const args = ["--conditions=@tongs/source", "--input-type=module", "--eval", print]
  return execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: MAX_DATA })
}

/** The values of the modules of the groups as JSON. */
const groups = new Map<string, string>()

const loaders = (): string => {
  const data: object = JSON.parse(evaluate(Path.join(folder, "ContractData.ts")))
  for (const [group, value] of Object.entries(data)) groups.set(group, JSON.stringify(value))
  const loader = (group: string) => `${group}: () => import(${JSON.stringify(Path.join(groupFolder, `${group}.ts`))})`
  return `export const value = {${[...groups.keys()].map(loader).join(", ")}}`
}

/** Replaces modules by their value. */
export const evaluated = (paths: ReadonlyArray<string>): Plugin => ({
  name: "evaluated",
  load: (id) => (paths.includes(id) ? `export const value = ${evaluate(id)}` : null)
})

/** Replaces the modules of the contract's groups and routes by their values. */
export const contractData: Plugin = {
  name: "contract-data",
  resolveId: (id) => (id.startsWith(groupFolder) ? id : null),
  load: (id) => {
    if (Path.dirname(id) === groupFolder) return `export const value = ${groups.get(Path.basename(id, ".ts"))}`
    if (id === Path.join(folder, "GroupLoaders.ts")) return loaders()
    return id === Path.join(folder, "RouteData.ts") ? `export const value = ${evaluate(id)}` : null
  }
}
