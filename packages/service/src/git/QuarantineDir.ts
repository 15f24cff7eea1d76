/**
 * A temporary git directory that reads the references and objects of a served repository, and in addition other objects:
 * its own, or those of a push, which `git receive-pack` keeps in a quarantine folder until its hook accepts them.
 *
 * Git commands there need no special environment, and write nothing into the quarantine folder, because git
 * moves all of its files into the repository.
 */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as FilePatches from "./values/FilePatches.ts"
import { gitError } from "./values/GitError.ts"
import * as IsolatedGitDir from "./IsolatedGitDir.ts"
import type { RepositoryFormat } from "./values/RepositoryFormat.ts"
import type { RepositoryLocation } from "./values/RepositoryLocation.ts"
import * as StagingFolder from "./files/StagingFolder.ts"

/** Creates the directory under `root`. The directory is removed when the scope closes. Fails with `NotWritable`. */
export const make = (root: string, { commonDir }: RepositoryLocation, format: RepositoryFormat, quarantine?: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => build(root, commonDir, IsolatedGitDir.configuration(format), quarantine),
      catch: (cause) => gitError({ _tag: "NotWritable", path: root, detail: String(cause) })
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }).catch(() => {}))
  )

const build = async (root: string, commonDir: string, config: string, quarantine?: string): Promise<string> => {
  const folder = await StagingFolder.make(root)
  try {
    await writeFile(join(folder, "config"), config)
    for (const name of ["refs", "packed-refs", "shallow"]) {
      await symlink(join(commonDir, name), join(folder, name), "junction")
    }
    await mkdir(join(folder, "objects", "info"), { recursive: true })
    const folders = [...(quarantine === undefined ? [] : [quarantine]), join(commonDir, "objects")]
    const alternates = folders.map((path) => `${FilePatches.quote(path)}\n`)
    await writeFile(join(folder, "objects", "info", "alternates"), alternates.join(""))
    await writeFile(join(folder, "HEAD"), "ref: refs/heads/.invalid\n")
    return folder
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw cause
  }
}
