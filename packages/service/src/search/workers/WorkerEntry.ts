/** The start file of search workers. The bundle of `tongs` replaces this module (`apps/cli/bundle`). */
import { existsSync } from "node:fs"

/** The file and Node options, for the TypeScript source, the build, or a bundle with `search-thread.js`. */
export const entryPoint = ((): readonly [URL, ReadonlyArray<string>] => {
  const here = (path: string) => new URL(path, import.meta.url)
  if (import.meta.url.endsWith(".ts")) return [here("../worker.ts"), ["--conditions=@tongs/source"]]
  const beside = here("../worker.js")
  return [existsSync(beside) ? beside : here("../search-thread.js"), []]
})()
