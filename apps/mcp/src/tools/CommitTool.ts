/**
 * The tool `commits_get`: a commit with its changed files. Can filter by path, because large commits exceed one result.
 */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, resultSchemas } from "@tongs/core/contract/Catalog"
import * as Compaction from "../output/Compaction.ts"
import { sanitizeValue } from "../output/SafeText.ts"
import * as Truncation from "../output/Truncation.ts"
import {
  isWithin,
  pathOf,
  type RepositoryName,
  repositoryOf,
  repositoryParameters,
  requiredRepository,
  type Tool
} from "./Tool.ts"

/** Creates the tool for the operation `commits.get`. */
export const make = (entry: CatalogEntry, defaultRepository: RepositoryName | undefined): Tool => ({
  name: entry.tool,
  operation: entry.operation,
  description:
    "Get a commit with its changed files and their patches. Long patches are truncated: pass path to read one.",
  properties: {
    ...repositoryParameters(defaultRepository),
    ref: { type: "string", description: "Commit, branch or tag." },
    path: { type: "string", description: "Only changes in this file or folder." },
    patch: { type: "boolean", description: "false omits the patches." },
    verbose: { type: "boolean", description: "Include all fields." }
  },
  required: [...requiredRepository(defaultRepository), "ref"],
  run: Effect.fnUntraced(function* (input, { deadline }) {
    const forge = yield* Forge
    const { owner = "", repo = "" } = repositoryOf(input, defaultRepository)
    const commit = yield* forge.commits.get({ owner, repo, ref: String(input.ref) }, { deadline })
    const path = pathOf(input)
    const listed = commit.files ?? []
    const files = listed
      .filter(({ filename }) => filename === path || isWithin(filename, path))
      .map(({ patch, ...file }) => (input.patch === false || patch === undefined ? file : { ...file, patch }))
    const value = { ...commit, files, ...missingFilesNote(path, files.length, listed.length) }
    return [
      Truncation.toJson(sanitizeValue(input.verbose === true ? value : Compaction.compact(value, resultSchemas(entry))))
    ]
  })
})

/** Maximum number of files that the forge lists for a commit. */
const MAX_FILES = 300

/** Returns a note if the forge may have omitted files, or if the path has no changes; otherwise an empty object. */
export const missingFilesNote = (path: string, shown: number, listed: number): { readonly note?: string } => {
  if (listed >= MAX_FILES) {
    return {
      note: `The forge lists only the first ${MAX_FILES} files of a commit, and this commit may have changed more. To see another file's changes, read it with file_contents at this commit and at its parent.`
    }
  }
  return path !== "" && shown === 0 ? { note: "The commit has no changes in this path." } : {}
}
