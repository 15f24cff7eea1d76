/** The modules that a start loads, in few chunks: Node loads three chunks in half the time of a hundred. */
import * as Path from "node:path"
import type { Plugin } from "rolldown"

/** The entry of the threads of the code index, from the folder of the program. */
export const SEARCH_THREAD = "../../packages/service/src/search/worker.ts"

/** The entry of the thread of `--jq`. */
export const JQ_THREAD = "src/json/JqThread.ts"

/** Modules that become one chunk each with their static imports, without the modules of the ones before. */
const chunkGroups = [
  { name: "main", entry: "src/main.ts" },
  { name: "mcp", entry: "src/McpStart.ts" },
  { name: "mcp", entry: "../mcp/src/Mcp.ts" },
  { name: "grep", entry: "src/GrepStart.ts" },
  { name: "base", entry: "src/Program.ts" },
  { name: "embedded", entry: "../../packages/connection/src/EmbeddedConnection.ts" }
]

/**
 * Assigns modules to groups, by name. Modules shared with the search thread stay apart, so that the thread loads no
 * others. `here` is the folder of the program.
 */
export const grouping = (here: string): { readonly plugin: Plugin; readonly nameOf: (id: string) => string | null } => {
  const searchThread = Path.join(here, SEARCH_THREAD)
  const groups = chunkGroups.map(({ entry, name }) => ({ name, entry: Path.join(here, entry) }))
  const groupOfModule = new Map<string, string>()
  const plugin: Plugin = {
    name: "group",
    buildEnd() {
      const importsOf = (entry: string): ReadonlySet<string> => {
        const found = new Set([entry])
        // Reads modules that are added meanwhile.
        for (const id of found) for (const imported of this.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
        return found
      }
      const ofThread = importsOf(searchThread)
      // Other commands must not load the MCP server for the modules that they share with the server.
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
  return { plugin, nameOf: (id) => groupOfModule.get(id) ?? null }
}
