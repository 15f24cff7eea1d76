/** `commits_get`: a commit and what it changed; of one that is long, one file or folder at a time. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { Entry } from "@tongs/core/contract/Catalog"
import * as Compaction from "../output/Compaction.ts"
import { sanitizeValue } from "../output/SafeText.ts"
import { responseSchemas } from "../output/ResponseSchema.ts"
import { isWithin, pathOf, type RepositoryName, repositoryOf, repositoryProperties, type Tool } from "./Tool.ts"

export const make = (entry: Entry, here: RepositoryName | undefined): Tool => ({
  name: entry.tool,
  operation: entry.operation,
  description: "Get a commit with the files that it changed and their patches. Long patches are cut: name their path.",
  properties: {
    ...repositoryProperties(here),
    ref: { type: "string", description: "Commit, branch or tag." },
    path: { type: "string", description: "Only what it changed in this file or folder." },
    patch: { type: "boolean", description: "false leaves the patches out." },
    verbose: { type: "boolean", description: "Leave nothing out, as URLs." }
  },
  required: [...(here === undefined ? ["owner", "repo"] : []), "ref"],
  run: Effect.fnUntraced(function* (input, { deadline }) {
    const forge = yield* Forge
    const { owner = "", repo = "" } = repositoryOf(input, here)
    const commit = yield* forge.commits.get({ owner, repo, ref: String(input.ref) }, { deadline })
    const path = pathOf(input)
    const listed = commit.files ?? []
    const files = listed
      .filter(({ filename }) => filename === path || isWithin(filename, path))
      .map(({ patch, ...file }) => (input.patch === false || patch === undefined ? file : { ...file, patch }))
    const value = {
      ...commit,
      files,
      ...missingFilesNote(path, files.length, listed.length)
    }
    return [
      Compaction.toJson(
        sanitizeValue(input.verbose === true ? value : Compaction.compact(value, responseSchemas(entry)))
      )
    ]
  })
})

/** Files of a commit that the forge lists at most. */
const MAX_FILES = 300

/** Says if files are missing, or that none is in the path. */
export const missingFilesNote = (path: string, shown: number, listed: number): { readonly note?: string } => {
  if (listed >= MAX_FILES) {
    return {
      note: `The forge lists only the first ${MAX_FILES} files of a commit, and this one may have changed more. Compare the file before and after it: file_contents with its parent and with it as ref.`
    }
  }
  return path !== "" && shown === 0 ? { note: "It changed nothing there." } : {}
}
