import { brotliCompressSync, constants } from "node:zlib"
import { defineConfig, type Plugin } from "vite"

/** The page, built so that it works wherever its folder is mounted: nothing in it names the root. */
export default defineConfig({
  base: "./",
  resolve: { conditions: ["@tongs/source", "browser", "module", "import", "default"] },
  worker: { format: "es" },
  build: {
    target: "es2023",
    // The page's content policy lets nothing in line.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries mark what runs in a browser; all of this does.
      onwarn: (warning, warn) => warning.code !== "MODULE_LEVEL_DIRECTIVE" && warn(warning)
    }
  },
  plugins: [preloadFonts(), compress()],
  // `pnpm dev` beside a running `tongs explore`, whose link was opened under the host name of the dev server.
  server: { proxy: { "/api": { target: "http://127.0.0.1:4181", changeOrigin: true } } }
})

/** The fonts of the first view are asked for with the page, and not when the style sheet is read. */
function preloadFonts(): Plugin {
  const first = /\/(?:inter|jetbrains-mono)-latin-wght-normal[^/]*\.woff2$/
  return {
    name: "preload-fonts",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => first.test(name))
          .map((name) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `./${name}`, crossorigin: true },
            injectTo: "head-prepend"
          }))
    }
  }
}

/** Puts a compressed file beside each one that shrinks, so that no request waits for it. */
function compress(): Plugin {
  // The last two steps take ten times as long, for three per cent.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return {
    name: "compress",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          if (!/\.(?:js|css|html|svg)$/.test(name)) continue
          const source = file.type === "chunk" ? file.code : file.source
          this.emitFile({ type: "asset", fileName: `${name}.br`, source: brotliCompressSync(source, { params }) })
        }
      }
    }
  }
}
