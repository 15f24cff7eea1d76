import { defineConfig } from "vite"

/** The page, built so that it works wherever its folder is mounted: nothing in it names the root. */
export default defineConfig({
  base: "./",
  resolve: { conditions: ["@tongs/source", "browser", "module", "import", "default"] },
  worker: { format: "es" },
  build: {
    target: "es2023",
    // The page's content policy lets nothing in line.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false }
  },
  // `pnpm dev` beside a running `tongs explore`.
  server: { proxy: { "/api": { target: "http://127.0.0.1:4181", changeOrigin: true } } }
})
