/** The chunk that search workers start from. */
import * as Path from "node:path"
import type { Plugin } from "rolldown"
import { SEARCH_THREAD } from "./Groups.ts"

/** The name of the chunk, without its hash. */
export const SEARCH_THREAD_NAME = "search-thread"

/**
 * Names the chunk by a hash of its content. A running program starts workers from the chunk of its own build, which
 * understands its messages, also after a later build.
 */
export const searchThread = (here: string): Plugin => {
  let chunk = ""
  return {
    name: "search-thread",
    buildStart() {
      chunk = this.emitFile({ type: "chunk", id: Path.join(here, SEARCH_THREAD), name: SEARCH_THREAD_NAME })
    },
    load: {
      filter: { id: /workers[\\/]WorkerEntry\.ts$/ },
      handler: () => `export const entryPoint = [new URL(import.meta.ROLLUP_FILE_URL_${chunk}), []]`
    }
  }
}
