/** Builds the published package, with all dependencies, for programs without Effect. */
import * as Path from "node:path"
import { defineConfig, type Plugin } from "rolldown"
import { minifySync } from "rolldown/utils"
import { contractData, evaluated, groupFolder } from "../core/contract-data.ts"

/** Removes unused code, but keeps names and line breaks. */
const readable = { compress: true, mangle: false, codegen: { removeWhitespace: false } }

/** The part of Effect that the Promise API needs. */
const RUNTIME = "effect"
const inEffect = /[\\/]effect[\\/]dist[\\/]/

/** The code of `app` and `deviceFlow` alone. Bundlers omit unused files, but not all unused functions. */
const inAuth = /[\\/]auth[\\/](?!Authentication\.ts)/
/** The modules that the first call of a group or the first raw request loads. */
const LATER = String.raw`contract[\\/](Group|groups|Packed|Route)|RouteMatcher`
const shared = new RegExp(
  String.raw`[\\/]core[\\/]src[\\/](?!auth[\\/]|client[\\/](${LATER}))|[\\/](auth[\\/]Authentication|OptionNames)\.ts`
)

/** The module that exports the names of the groups, which the client has from the start. */
const names = Path.join(import.meta.dirname, "src/contract/GroupNames.ts")

/**
 * Shortens names in the Effect chunk, so that Node parses a third less. Keeps lines, which Node prints for an error.
 */
const shortNames: Plugin = {
  name: "short-names",
  renderChunk: (code, { fileName, name }) => {
    if (name !== RUNTIME) return null
    const short = minifySync(fileName, code, { ...readable, mangle: true, module: true, sourcemap: true })
    return { code: short.code, map: short.map ?? null }
  },
  // Omits sources, which Effect's package contains: the map is a tenth of the size.
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === "asset" && file.fileName.startsWith(`chunks/${RUNTIME}-`)) {
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
  plugins: [contractData, evaluated([names]), shortNames],
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
        { name: RUNTIME, test: inEffect },
        { name: "engine", test: shared },
        { name: "auth", test: inAuth }
      ]
    }
  }
})
