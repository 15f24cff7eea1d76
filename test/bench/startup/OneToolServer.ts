/** A server with one tool on the official SDK, to compare the start of `tongs mcp` with. */
import { writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { build } from "rolldown"
import { BenchmarkError } from "../BenchmarkEnvironment.ts"

const module = (name: string) => JSON.stringify(import.meta.resolve(`@modelcontextprotocol/sdk/server/${name}.js`))

const source = `
import { McpServer } from ${module("mcp")}
import { StdioServerTransport } from ${module("stdio")}
const server = new McpServer({ name: "one", version: "1" })
server.registerTool("greet", { description: "Greet" }, () => ({ content: [{ type: "text", text: "ahoy" }] }))
await server.connect(new StdioServerTransport())
`

/** Like the entry of `tongs`: turns on the compile cache, then loads the rest. */
const cached = (cache: string, chunk: string) => `
import { enableCompileCache } from "node:module"
enableCompileCache(${JSON.stringify(cache)})
await import(${JSON.stringify(chunk)})
`

/** Writes the server to a folder: as installed by users, and bundled and cached like `tongs`. Returns both paths. */
export const write = Effect.fnUntraced(function* (folder: string) {
  const packaged = `${folder}/one-tool.mjs`
  const bundle = `${folder}/one-tool-bundle.mjs`
  const bundled = `${folder}/one-tool-bundled.mjs`
  writeFileSync(packaged, source)
  writeFileSync(bundled, cached(`${folder}/one-tool-cache`, bundle))
  yield* Effect.tryPromise({
    try: () =>
      build({
        input: packaged,
        platform: "node",
        logLevel: "silent",
        plugins: [
          {
            name: "urls",
            resolveId: (id) => (id.startsWith("file:") ? decodeURIComponent(new URL(id).pathname) : null)
          }
        ],
        output: { file: bundle, format: "esm", minify: true }
      }),
    catch: (cause) => new BenchmarkError({ detail: `bundling: ${String(cause)}` })
  })
  return { packaged, bundled }
})
