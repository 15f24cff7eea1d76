/**
 * Builds the entry points for Node, with all dependencies except the optional peer dependencies. Shares no chunk with
 * the client, which must stay small.
 */
import { defineConfig, type Plugin } from "rolldown"

/** Omits the sources of the dependencies, which are most of the size. */
const smallMaps: Plugin = {
  name: "small-maps",
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".map")) continue
      file.source = JSON.stringify({ ...JSON.parse(String(file.source)), sourcesContent: undefined })
    }
  }
}

export default defineConfig({
  cwd: import.meta.dirname,
  platform: "node",
  resolve: { conditionNames: ["@tongs/source", "default"] },
  transform: { target: "es2024" },
  external: ["redis", "@napi-rs/keyring"],
  input: { node: "src/node/index.ts", redis: "src/node/redis.ts", sqlite: "src/node/sqlite.ts" },
  plugins: [smallMaps],
  output: {
    dir: "dist",
    format: "esm",
    comments: false,
    sourcemap: true,
    cleanDir: false,
    chunkFileNames: "chunks/node-[name]-[hash].js",
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } }
  }
})
