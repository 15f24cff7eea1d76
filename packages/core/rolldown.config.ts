/**
 * Builds the published package: one file per module, which re-exports from a few chunks, because Node loads few large
 * files faster than many small ones.
 *
 * Effect is external, so that a program has one copy of it. Only `effect/http-api`, which declares the contract, is
 * inlined without its server code.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { defineConfig, type Plugin } from "rolldown"
import { contractData, evaluated } from "./contract-data.ts"

const source = Path.join(import.meta.dirname, "src")

const modules = Fs.globSync("**/*.ts", { cwd: source })
  .filter((name) => !/\.(test|test-support|d)\.ts$/.test(name))
  .map((name) => name.replace(/\.ts$/, ""))

const input = (names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, Path.join(source, `${name}.ts`)]))

/** Paths of the Effect modules that are inlined with unused code removed. */
const inlined =
  /^(http-api|internal|http\/internal|socket)\/|^http\/(FindMyWay|Http(Router|Middleware|Server|Platform|Effect)|Multipart)/

const effect = Path.dirname(Fs.realpathSync(Path.join(import.meta.dirname, "node_modules/effect/package.json")))

/** An external module without side effects, so that unused imports are removed. */
const outside = (id: string) => ({ id, external: true, moduleSideEffects: false }) as const // the properties must stay literals

const effectOutside: Plugin = {
  name: "effect-outside",
  resolveId: async function (id, from, options) {
    if (id.startsWith("effect/")) return inlined.test(id.slice("effect/".length)) ? null : outside(id)
    if (from === undefined || !id.startsWith(".") || !from.startsWith(effect)) return null
    const resolved = await this.resolve(id, from, { ...options, skipSelf: true })
    const name = resolved === null ? "" : Path.relative(Path.join(effect, "dist"), resolved.id).replace(/\.js$/, "")
    return inlined.test(name) ? resolved : outside(`effect/${name.replaceAll("\\", "/")}`)
  }
}

const clientContract = Path.join(source, "client/contract")

/** Lets the client read the contract from data instead of declarations. */
const packedContract: Plugin = {
  name: "packed-contract",
  load: (id) =>
    id === Path.join(clientContract, "ForgeContract.ts") ? `export * from "./PackedForgeContract.ts"` : null
}

const folder = (name: string) => ({ name, test: new RegExp(String.raw`[\\/]src[\\/]${name}[\\/]`) })

/** Modules that the client loads later, or that need the declarations of the contract. */
const LATER = String.raw`CatalogEndpoint|MappedClient|contract[\\/](ContractData|Group|groups|PackedContract|Route)`

/**
 * Chunks of modules that are used together. A chunk includes all dependencies that no earlier chunk has. The client
 * needs neither the declarations of the contract nor the code that generates documents, so these are in later chunks.
 */
const chunks = [
  { name: "client", test: new RegExp(String.raw`[\\/]src[\\/](client[\\/](?!${LATER})|limits[\\/]|paging[\\/])`) },
  { name: "contract", test: /[\\/]src[\\/]contract[\\/](?!Catalog|Document)/ },
  { name: "catalog", test: /[\\/]src[\\/](contract[\\/]|client[\\/](CatalogEndpoint|MappedClient)\.)/ },
  folder("query"),
  folder("text")
]

const shared = {
  cwd: import.meta.dirname,
  platform: "neutral",
  resolve: { conditionNames: ["@tongs/source", "default"] },
  transform: { target: "es2024" }
} as const

/** Index files re-export from the files of the same folder, and are in no chunk. */
const isIndex = (name: string) => name.endsWith("index")

const relativeImports: Plugin = {
  name: "relative-imports",
  resolveId: (id, from) =>
    from === undefined
      ? null
      : { id: Path.resolve(Path.dirname(from), id.replace(/\.ts$/, ".js")), external: "relative" }
}

const output = {
  dir: "dist",
  format: "esm",
  comments: false,
  sourcemap: true,
  chunkFileNames: "chunks/[name]-[hash].js"
} as const

export default defineConfig([
  {
    ...shared,
    input: input(modules.filter((name) => !isIndex(name))),
    external: ["string-width"],
    plugins: [effectOutside, packedContract, contractData, evaluated([Path.join(clientContract, "MethodNames.ts")])],
    output: { ...output, cleanDir: true, minify: "dce-only", codeSplitting: { groups: chunks } }
  },
  { ...shared, input: input(modules.filter(isIndex)), plugins: [relativeImports], output }
])
