/** How the bundle contains some of its dependencies. */
import * as Fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as Path from "node:path"
import type { Plugin } from "rolldown"

/** Replaces Ink's developer tools, which it loads only if `DEV=true`, by a stub. */
export const withoutDevtools: Plugin = {
  name: "without-devtools",
  resolveId: (id) => (id === "react-devtools-core" ? `\0${id}` : null),
  load: (id) => (id === "\0react-devtools-core" ? "export default { initialize() {}, connectToDevTools() {} }" : null)
}

/** The pattern of emoji in a dependency, which V8 compiles when it loads the module. */
const EMOJI_PATTERN = "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;"

/** Tests a grapheme. V8 takes 1 ms for the pattern of single characters, 5 ms for the others, 20 ms for joined emoji. */
const EMOJI_TEST = String.raw`let joinedEmoji, otherEmoji;
const rgiEmojiRegex = {
  test: (text) => {
    if (text.length <= (text.codePointAt(0) > 0xffff ? 2 : 1)) return /^[\p{Emoji_Presentation}--\p{RI}]$/v.test(text)
    if (text.includes("\u200d")) return (joinedEmoji ??= new RegExp("^\\p{RGI_Emoji_ZWJ_Sequence}$", "v")).test(text)
    return (otherEmoji ??= new RegExp(
      "^[\\p{Basic_Emoji}\\p{Emoji_Keycap_Sequence}\\p{RGI_Emoji_Modifier_Sequence}\\p{RGI_Emoji_Flag_Sequence}\\p{RGI_Emoji_Tag_Sequence}]$",
      "v"
    )).test(text)
  }
};`

/** Compiles the patterns of emoji only for texts that need them, which saves 15 ms or more at each start. */
export const lazyEmojiPattern: Plugin = {
  name: "lazy-emoji-pattern",
  transform: {
    filter: { id: /node_modules\/string-width\/index\.js$/ },
    handler(code) {
      if (!code.includes(EMOJI_PATTERN)) this.error("string-width has changed: check whether it compiles emoji lazily")
      return code.replace(EMOJI_PATTERN, () => EMOJI_TEST)
    }
  }
}

/** Requires `node:http`: an `import` reads all its exports, for which Node loads its copy of undici, 50 ms of CPU time. */
export const requiredHttp: Plugin = {
  name: "required-http",
  resolveId: (id, _, { kind }) => (id === "node:http" && kind === "import-statement" ? "\0http" : null),
  load: (id) => (id === "\0http" ? `module.exports = require("node:http")` : null)
}

/** Loads the native keychain library from `node_modules` on first use. The program works without the library. */
export const keyring: Plugin = {
  name: "keyring",
  resolveId: (id) => (id === "@napi-rs/keyring" ? "\0keyring" : null),
  load: (id) =>
    id === "\0keyring"
      ? `import { createRequire } from "node:module"
         export const { AsyncEntry } = createRequire(import.meta.url)("@napi-rs/keyring")`
      : null
}

/**
 * Copies `openpgp` unchanged into a separate folder, with the licence, the LGPL: users may replace the library by their
 * own version.
 */
export const openpgp = (here: string, dist: string): Plugin => {
  const folder = Path.join(dist, "openpgp")
  return {
    name: "openpgp",
    resolveId: (id) => (id === "openpgp" ? { id, external: true } : null),
    // The path is relative to the folder of the chunks.
    outputOptions: (options) => ({ ...options, paths: { openpgp: "../openpgp/openpgp.mjs" } }),
    async writeBundle() {
      const service = createRequire(Path.join(here, "../../packages/service/package.json"))
      const library = Path.dirname(service.resolve("openpgp"))
      await Fs.mkdir(folder, { recursive: true })
      await Fs.copyFile(Path.join(library, "openpgp.min.mjs"), Path.join(folder, "openpgp.mjs"))
      await Fs.copyFile(Path.join(library, "../../LICENSE"), Path.join(folder, "LICENSE"))
      // The LGPL adds permissions to the GPL, and asks for both texts.
      await Fs.copyFile(Path.join(here, "bundle/GPL-3.0.txt"), Path.join(folder, "GPL-3.0.txt"))
    }
  }
}

/**
 * Copies `jq-web` into a separate folder: the thread of `--jq` loads the script, which loads the WebAssembly from the
 * same folder.
 */
export const jq = (here: string, dist: string): Plugin => {
  const folder = Path.join(dist, "jq")
  return {
    name: "jq",
    async writeBundle() {
      const library = Path.dirname(createRequire(Path.join(here, "package.json")).resolve("jq-web"))
      await Fs.mkdir(folder, { recursive: true })
      await Fs.copyFile(Path.join(library, "jq.js"), Path.join(folder, "jq.cjs"))
      for (const file of ["jq.wasm", "LICENSE"]) await Fs.copyFile(Path.join(library, file), Path.join(folder, file))
    }
  }
}
