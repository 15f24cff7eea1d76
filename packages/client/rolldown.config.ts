/** Builds the published package. It contains all its dependencies: it is for programs without Effect. */
import * as Path from "node:path"
import { execFileSync } from "node:child_process"
import { defineConfig, type Plugin } from "rolldown"
import { minifySync } from "rolldown/utils"

/** Removes unused code, but keeps names and line breaks. */
const readable = { compress: true, mangle: false, codegen: { removeWhitespace: false } }

/** The part of Effect that the Promise API needs. */
const runtime = "effect"
const inEffect = /[\\/]effect[\\/]dist[\\/]/

/** What `app` and `deviceFlow` do not share with the rest. Bundlers omit unused files, but not all unused functions. */
const inAuth = /[\\/]auth[\\/](?!Authentication\.ts)/
const shared = /[\\/]core[\\/]src[\\/](?!auth[\\/])|[\\/](auth[\\/]Authentication|OptionNames)\.ts/

/** Evaluates a module, and returns its value as JSON. */
const evaluate = (path: string): string => {
  const print = `process.stdout.write(JSON.stringify((await import(${JSON.stringify(path)})).value))`
  const args = ["--conditions=@tongs/source", "--input-type=module", "--eval", print]
  return execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: MAX_DATA })
}

/** The folder of the modules of the groups, which exist in the build only. */
const groupFolder = Path.join(import.meta.dirname, "src/contract/groups")

/** The values of these modules as JSON. */
const groups = new Map<string, string>()

/** Replaces modules by their value, which is data: the declarations of the contract and their schemas are not needed. */
const contractData: Plugin = {
  name: "contract-data",
  resolveId: (id) => (id.startsWith(groupFolder) ? id : null),
  load: (id) => {
    const name = Path.basename(id, ".ts")
    if (Path.dirname(id) === groupFolder) return `export const value = ${groups.get(name)}`
    if (!/[\\/]client[\\/]src[\\/]contract[\\/](GroupNames|GroupLoaders|RouteData)\.ts$/.test(id)) return null
    if (name !== "GroupLoaders") return `export const value = ${evaluate(id)}`
    const data: object = JSON.parse(evaluate(Path.join(Path.dirname(id), "ContractData.ts")))
    for (const [group, value] of Object.entries(data)) groups.set(group, JSON.stringify(value))
    const loader = (group: string) => `${group}: () => import(${JSON.stringify(Path.join(groupFolder, `${group}.ts`))})`
    return `export const value = {${[...groups.keys()].map(loader).join(", ")}}`
  }
}

/** Maximum size of a module's value in bytes. */
const MAX_DATA = 16 * 1024 * 1024

/** Shortens names in the Effect chunk, so that Node parses a third less. Keeps lines, which Node prints for an error. */
const shortNames: Plugin = {
  name: "short-names",
  renderChunk: (code, { fileName, name }) => {
    if (name !== runtime) return null
    const short = minifySync(fileName, code, { ...readable, mangle: true, module: true, sourcemap: true })
    return { code: short.code, map: short.map ?? null }
  },
  // Omits sources, which Effect's package contains: the map is a tenth of the size.
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === "asset" && file.fileName.startsWith(`chunks/${runtime}-`)) {
        file.source = JSON.stringify({ ...JSON.parse(String(file.source)), sourcesContent: undefined })
      }
    }
  }
}

export default defineConfig({
  cwd: import.meta.dirname,
  platform: "neutral",
  resolve: { conditionNames: ["@tongs/source", "default"] },
  transform: { target: "es2024" },
  input: { index: "src/index.ts", webhooks: "src/webhooks/index.ts" },
  plugins: [contractData, shortNames],
  output: {
    dir: "dist",
    format: "esm",
    comments: false,
    sourcemap: true,
    cleanDir: true,
    chunkFileNames: ({ moduleIds: [id = ""] }) =>
      Path.dirname(id) === groupFolder ? "chunks/contract/[name]-[hash].js" : "chunks/[name]-[hash].js",
    minify: readable,
    codeSplitting: {
      groups: [
        { name: runtime, test: inEffect },
        { name: "engine", test: shared },
        { name: "auth", test: inAuth }
      ]
    }
  }
})
