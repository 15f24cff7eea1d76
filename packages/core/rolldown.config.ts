/**
 * Builds the published package: one file per module, which re-exports from a few chunks, because Node loads few large
 * files faster than many small ones.
 *
 * Effect is external, so that a program has one copy of it. Only `effect/http-api`, which declares the contract, is
 * inlined without its server code. The Promise API is for programs without Effect and contains all its dependencies.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { defineConfig, type Plugin } from "rolldown"
import { minifySync } from "rolldown/utils"

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

/** An external module. It has no side effects, so an unused import of it is removed. */
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

const folders = (name: string, pattern = name) => ({
  name,
  test: new RegExp(String.raw`[\\/]src[\\/](${pattern})[\\/]`)
})

/**
 * Chunks of modules that are used together. Each includes its dependencies that no earlier chunk has. The client needs
 * neither the list of all endpoints nor the code that generates documents, so these are in a later chunk.
 */
const chunks = [
  { name: "contract", test: /[\\/]src[\\/]contract[\\/](?!Catalog|Document)/ },
  folders("client", "client|limits|paging"),
  folders("catalog", "contract"),
  folders("query"),
  folders("text")
]

const shared = {
  cwd: import.meta.dirname,
  platform: "neutral",
  resolve: { conditionNames: ["@tongs/source", "default"] },
  transform: { target: "es2024" }
} as const

/** Index files re-export from the files beside them, and are in no chunk. */
const isIndex = (name: string) => name.endsWith("index")

const relativeImports: Plugin = {
  name: "relative-imports",
  resolveId: (id, from) =>
    from === undefined
      ? null
      : { id: Path.resolve(Path.dirname(from), id.replace(/\.ts$/, ".js")), external: "relative" }
}

/** Removes unused code, but keeps names and line breaks. */
const readable = { compress: true, mangle: false, codegen: { removeWhitespace: false } }

/** The part of Effect that the Promise API needs, except its schema compiler, which is loaded on demand. */
const runtime = "effect"
const inEffect = /[\\/]effect[\\/]dist[\\/](?!schema[\\/]Schema(JIT)?Compiler|internal[\\/]schema[\\/]codegen)/

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
    input: input(modules.filter((name) => name !== "promise" && !isIndex(name))),
    external: ["string-width"],
    plugins: [effectOutside],
    output: { ...output, cleanDir: true, minify: "dce-only", codeSplitting: { groups: chunks } }
  },
  { ...shared, input: input(modules.filter(isIndex)), plugins: [relativeImports], output },
  {
    ...shared,
    input: input(["promise"]),
    plugins: [shortNames],
    output: { ...output, minify: readable, codeSplitting: { groups: [{ name: runtime, test: inEffect }] } }
  }
])
