/**
 * What is published: a file for every module, over a few chunks, because Node takes its time with each file.
 *
 * Effect stays outside, so that a program has it once, but for what declares the contract (`effect/http-api`): a client
 * needs the declarations only, and not the server that comes with them. The Promise face is for programs without Effect:
 * it holds all that it needs.
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

/** Modules of Effect of which only what is used comes along, by their paths in it. */
const inlined =
  /^(http-api|internal|http\/internal|socket)\/|^http\/(FindMyWay|Http(Router|Middleware|Server|Platform|Effect)|Multipart)/

const effect = Path.dirname(Fs.realpathSync(Path.join(import.meta.dirname, "node_modules/effect/package.json")))

/** Importing one does nothing, so one of which nothing is used any more is not imported either. */
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
 * Modules that are used together, or that hardly anything uses alone. Each takes what it needs that none before it took:
 * the client needs neither the list of all endpoints nor what makes documents of them.
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

/** Tables of contents lead to the files beside them: what is in a chunk has no need of them. */
const isTable = (name: string) => name.endsWith("index")

const beside: Plugin = {
  name: "beside",
  resolveId: (id, from) =>
    from === undefined
      ? null
      : { id: Path.resolve(Path.dirname(from), id.replace(/\.ts$/, ".js")), external: "relative" }
}

/** Less code, with the names and lines that it was written with. */
const readable = { compress: true, mangle: false, codegen: { removeWhitespace: false } }

/** The part of Effect that the Promise face needs, but for its compiler of schemas, which is loaded later. */
const runtime = "effect"
const inEffect = /[\\/]effect[\\/]dist[\\/](?!schema[\\/]Schema(JIT)?Compiler|internal[\\/]schema[\\/]codegen)/

/** Short names in it: a third less to parse. Lines stay, because Node prints the line that an uncaught failure is from. */
const shortNames: Plugin = {
  name: "short-names",
  renderChunk: (code, { fileName, name }) => {
    if (name !== runtime) return null
    const short = minifySync(fileName, code, { ...readable, mangle: true, module: true, sourcemap: true })
    return { code: short.code, map: short.map ?? null }
  },
  // Effect's own package has its sources: the map names them, and is a tenth of the size.
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
    input: input(modules.filter((name) => name !== "promise" && !isTable(name))),
    external: ["string-width"],
    plugins: [effectOutside],
    output: { ...output, cleanDir: true, minify: "dce-only", codeSplitting: { groups: chunks } }
  },
  { ...shared, input: input(modules.filter(isTable)), plugins: [beside], output },
  {
    ...shared,
    input: input(["promise"]),
    plugins: [shortNames],
    output: { ...output, minify: readable, codeSplitting: { groups: [{ name: runtime, test: inEffect }] } }
  }
])
