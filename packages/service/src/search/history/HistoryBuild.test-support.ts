/** Builds a history index in a process, and sends a message with each step: folder, git directory and commit. */
import * as HistoryBuilder from "./HistoryBuilder.ts"

const [folder = "", gitDir = "", tip = ""] = process.argv.slice(2)
await HistoryBuilder.build({
  folder,
  gitDir,
  tip,
  signal: new AbortController().signal,
  limits: { terms: 40, commits: 4 },
  onProgress: (progress) => process.send?.(progress)
})
