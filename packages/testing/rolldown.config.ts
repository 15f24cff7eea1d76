/** Builds the published package, including the forge. Only `openpgp` and the optional peers are external. */
import { defineConfig } from "rolldown"

export default defineConfig({
  cwd: import.meta.dirname,
  platform: "node",
  resolve: { conditionNames: ["@tongs/source", "node", "default"] },
  transform: { target: "node24" },
  external: ["openpgp", "vitest", /^@mswjs\/interceptors/],
  input: {
    index: "src/index.ts",
    intercept: "src/intercept.ts",
    jest: "src/adapters/jest.ts",
    node: "src/adapters/node.ts",
    vitest: "src/adapters/vitest.ts",
    // Each thread of the code index starts from a separate file.
    "search-thread": "../service/src/search/worker.ts"
  },
  output: {
    dir: "dist",
    format: "esm",
    comments: false,
    // Not published: the maps show which packages need a notice.
    sourcemap: "hidden",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } }
  }
})
