import { brotliCompressSync, constants } from "node:zlib"
import { defineConfig, type Plugin } from "vite"

/** Builds the page with relative URLs, so that it works under any path. */
export default defineConfig({
  base: "./",
  resolve: { conditions: ["@tongs/source", "browser", "module", "import", "default"] },
  worker: { format: "es" },
  build: {
    target: "es2023",
    // The content security policy forbids inline assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Ignores "use client" directives of libraries.
      onwarn: (warning, warn) => warning.code !== "MODULE_LEVEL_DIRECTIVE" && warn(warning)
    }
  },
  plugins: [preloadFonts(), preloadStart(), compress()],
  // For `pnpm dev` beside a running `tongs explore`. Open its link under the host name of the dev server first.
  server: { proxy: { "/api": { target: "http://127.0.0.1:4181", changeOrigin: true } } }
})

/** Preloads the fonts of the first view, which a browser otherwise requests only after it has the style sheet. */
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

/** Preloads the scripts that the entry loads in turn, each in a task of its own. */
function preloadStart(): Plugin {
  return {
    name: "preload-start",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => {
        const chunks = new Map(
          Object.values(bundle ?? {}).flatMap((file) => (file.type === "chunk" ? [[file.fileName, file]] : []))
        )
        const first = [...chunks.values()].filter(({ facadeModuleId }) =>
          /\/(?:react-dom\/client\.js|page\/start\.tsx)$/.test(facadeModuleId ?? "")
        )
        const names = new Set(first.flatMap(({ fileName, imports }) => [fileName, ...imports]))
        return [...names]
          .filter((name) => !html.includes(name))
          .map((name) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `./${name}` },
            injectTo: "head"
          }))
      }
    }
  }
}

/** Writes a Brotli file beside each text asset, so that no request waits for compression. */
function compress(): Plugin {
  // Quality 11 takes ten times as long for three per cent.
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
