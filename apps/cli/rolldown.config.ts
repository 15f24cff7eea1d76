/**
 * The bundle of `tongs`: one small entry, one chunk for the command line, and one for each front end, loaded when it is
 * asked for. `tongs mcp` reads no React.
 */
import * as Fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as Path from "node:path"
import { defineConfig, type Plugin } from "rolldown"

const here = import.meta.dirname
const dist = Path.join(here, "dist")

/** Milliseconds to keep the chunks of earlier builds, because a running program may still load them. */
const KEEP_MILLISECONDS = 24 * 60 * 60 * 1000

/** Replaces Ink's developer tools, which it loads only if `DEV=true`, by a stub. */
const withoutDevtools: Plugin = {
  name: "without-devtools",
  resolveId: (id) => (id === "react-devtools-core" ? `\0${id}` : null),
  load: (id) => (id === "\0react-devtools-core" ? "export default { initialize() {}, connectToDevTools() {} }" : null)
}

/** The pattern of emoji in a dependency, which V8 compiles when it loads the module. */
const EMOJI_PATTERN = "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;"

/** Compiles the pattern of emoji at its first use, which saves about 15 ms at the start of every command. */
const lazyEmojiPattern: Plugin = {
  name: "lazy-emoji-pattern",
  transform: {
    filter: { id: /node_modules\/string-width\/index\.js$/ },
    handler(code) {
      if (!code.includes(EMOJI_PATTERN)) this.error("string-width has changed: check whether it compiles emoji lazily")
      return code.replace(
        EMOJI_PATTERN,
        () =>
          'let emojiPattern; const rgiEmojiRegex = { test: (text) => (emojiPattern ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text) };'
      )
    }
  }
}

/** Copies the native keychain library beside the program. The program works without it. */
const keyring: Plugin = {
  name: "keyring",
  resolveId: (id) => (id === "@napi-rs/keyring" ? "\0keyring" : null),
  load: (id) =>
    id === "\0keyring"
      ? `import { createRequire } from "node:module"
         export const { AsyncEntry } = createRequire(import.meta.url)("../keyring.node")`
      : null,
  async writeBundle() {
    const connection = createRequire(Path.join(here, "../../packages/connection/package.json"))
    const library = createRequire(connection.resolve("@napi-rs/keyring"))
    const { optionalDependencies } = library("@napi-rs/keyring/package.json")
    // Only the package for this platform is installed.
    for (const name of Object.keys(optionalDependencies)) {
      try {
        await Fs.copyFile(library.resolve(name), Path.join(dist, "keyring.node"))
      } catch {
        continue
      }
    }
  }
}

const SHEBANG = "#!/usr/bin/env node"

/**
 * Starts the installed Node directly, so that no second process of an older Node waits for it. To a shell, the second line is
 * a command; to Node, it is a string and a comment.
 */
const launcher = `#!/bin/sh
":" //; node="$(dirname -- "$(readlink -f -- "$0")")/../../../node_modules/node/bin/node"; [ -x "$node" ] || node=node; exec "$node" "$0" "$@"`

/** Copies the explorer's page and the fixtures beside the program, and deletes old chunks. */
const finish: Plugin = {
  name: "finish",
  async writeBundle(_, bundle) {
    const page = Path.join(here, "../explorer/dist")
    await Fs.rm(Path.join(dist, "explorer"), { recursive: true, force: true })
    await Fs.cp(page, Path.join(dist, "explorer"), { recursive: true }).catch((error: NodeJS.ErrnoException) =>
      error.code === "ENOENT"
        ? this.warn("the explorer's page is not built: `tongs explore` will fail")
        : this.error(error.message)
    )
    await Fs.cp(Path.join(here, "fixtures"), Path.join(dist, "fixtures"), { recursive: true })
    const entry = Path.join(dist, "tongs.js")
    // As a banner, its comment would be removed.
    await Fs.writeFile(
      entry,
      (await Fs.readFile(entry, "utf8")).replace(SHEBANG, () => launcher)
    )
    await Fs.chmod(entry, 0o755)
    const chunks = Path.join(dist, "chunks")
    for (const name of await Fs.readdir(chunks)) {
      const stale = Date.now() - (await Fs.stat(Path.join(chunks, name))).mtimeMs > KEEP_MILLISECONDS
      if (stale && !(`chunks/${name}` in bundle)) await Fs.rm(Path.join(chunks, name))
    }
  }
}

const searchThread = Path.join(here, "../../packages/service/src/search/worker.ts")

/**
 * The modules that a start loads, together with their static imports. Each becomes one chunk, without the modules of the
 * ones before: Node loads three chunks in half the time of a hundred.
 */
const groups = [
  { name: "main", entry: Path.join(here, "src/main.ts") },
  { name: "mcp", entry: Path.join(here, "src/McpStart.ts") },
  { name: "mcp", entry: Path.join(here, "../mcp/src/Mcp.ts") },
  { name: "grep", entry: Path.join(here, "src/GrepStart.ts") },
  { name: "base", entry: Path.join(here, "src/Program.ts") },
  { name: "embedded", entry: Path.join(here, "../../packages/connection/src/EmbeddedConnection.ts") }
]

/** Names of groups by module. */
const groupOfModule = new Map<string, string>()

/** Assigns modules to groups. Those that the search thread shares stay apart, so that it loads no others. */
const group: Plugin = {
  name: "group",
  buildEnd() {
    const importsOf = (entry: string): ReadonlySet<string> => {
      const found = new Set([entry])
      // Reads modules that are added meanwhile.
      for (const id of found) for (const imported of this.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
      return found
    }
    const ofThread = importsOf(searchThread)
    // Other commands must not load the MCP server for the modules that they share with it.
    const ofOthers = new Set(groups.flatMap(({ entry, name }) => (name === "mcp" ? [] : [...importsOf(entry)])))
    for (const { entry, name } of groups) {
      if (this.getModuleInfo(entry) === null) this.error(`no module ${entry}`)
      for (const id of importsOf(entry)) {
        if (ofThread.has(id) || groupOfModule.has(id)) continue
        groupOfModule.set(id, name === "mcp" && ofOthers.has(id) ? "shared" : name)
      }
    }
  }
}

export default defineConfig({
  // An import that cannot be bundled would be missing in an installed program.
  onLog: (level, log, handler) => handler(log.code === "UNRESOLVED_IMPORT" ? "error" : level, log),
  // The threads of the code index start from their own file.
  preserveEntrySignatures: false,
  input: { tongs: "bin/tongs.ts", "search-thread": searchThread },
  cwd: here,
  platform: "node",
  // The bundler adds `import` or `require` by the kind of import: some packages export different files for each.
  resolve: { conditionNames: ["@tongs/source", "node", "default"] },
  transform: { target: "node24", define: { "process.env.NODE_ENV": JSON.stringify("production") } },
  plugins: [withoutDevtools, lazyEmojiPattern, group, keyring, finish],
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "group", name: (id) => groupOfModule.get(id) ?? null }]
    },
    banner: (chunk) => (chunk.name === "tongs" ? SHEBANG : ""),
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js"
  }
})
