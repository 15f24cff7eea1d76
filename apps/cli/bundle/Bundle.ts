/**
 * The bundle of `tongs`: one small entry, one chunk for the command line, and one for each front end, loaded when it is
 * asked for. `tongs mcp` reads no React.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { defineConfig, type Plugin } from "rolldown"
import { evaluated } from "../../../packages/core/contract-data.ts"
import { jq, keyring, lazyEmojiPattern, openpgp, requiredHttp, withoutDevtools } from "./Dependencies.ts"
import { grouping, JQ_THREAD } from "./Groups.ts"
import { SEARCH_THREAD_NAME, searchThread } from "./SearchThread.ts"

/** Milliseconds to keep the chunks of earlier builds, because a running program may still load them. */
const KEEP_MILLISECONDS = 24 * 60 * 60 * 1000

/** The names and the routes of the operations, from the folder of the program. */
const operationData = ["contract/OperationIndex.ts", "client/contract/RouteData.ts"].map((name) =>
  Path.join("../../packages/core/src", name)
)

/** npm's shims for Windows start what this line names. */
const SHEBANG = "#!/usr/bin/env node"

export interface Options {
  /** The folder of the program's package. */
  readonly here: string
  /** The folder to write to. */
  readonly dist: string
  /** The folder of the built code-search page. */
  readonly page: string
  /** First lines instead of `SHEBANG`. */
  readonly launcher?: string
  readonly plugins?: ReadonlyArray<Plugin>
}

/** Copies the explorer's page and the fixtures beside the program, and deletes old chunks. */
const finish = ({ dist, here, launcher = SHEBANG, page }: Options): Plugin => ({
  name: "finish",
  async writeBundle(_, bundle) {
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
})

/** Returns the configuration of the bundler. */
export const bundle = (options: Options) => {
  const { dist, here, plugins = [] } = options
  const groups = grouping(here)
  return defineConfig({
    // An import that cannot be bundled would be missing in an installed program.
    onLog: (level, log, handler) => handler(log.code === "UNRESOLVED_IMPORT" ? "error" : level, log),
    // The thread of `--jq` starts from its own file.
    preserveEntrySignatures: false,
    input: { tongs: "bin/tongs.ts", "jq-thread": Path.join(here, JQ_THREAD) },
    cwd: here,
    platform: "node",
    // The bundler adds `import` or `require` by the kind of import: some packages export different files for each.
    resolve: { conditionNames: ["@tongs/source", "node", "default"] },
    transform: { target: "node24", define: { "process.env.NODE_ENV": JSON.stringify("production") } },
    plugins: [
      evaluated(operationData.map((path) => Path.join(here, path))),
      withoutDevtools,
      lazyEmojiPattern,
      groups.plugin,
      searchThread(here),
      keyring,
      requiredHttp,
      openpgp(here, dist),
      jq(here, dist),
      finish(options),
      ...plugins
    ],
    output: {
      dir: dist,
      format: "esm",
      minify: true,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ debugName: "group", name: groups.nameOf }]
      },
      banner: (chunk) => (chunk.name === "tongs" ? SHEBANG : ""),
      entryFileNames: ({ name }) => (name === SEARCH_THREAD_NAME ? "chunks/[name]-[hash].js" : "[name].js"),
      chunkFileNames: "chunks/[name]-[hash].js"
    }
  })
}
