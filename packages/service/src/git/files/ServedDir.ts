import { dirname, join } from "node:path"
import { linkTarget } from "./Files.ts"

/**
 * Returns the git directory of the served repository, to whose objects an isolated git directory (`IsolatedGitDir`)
 * links. Returns any other directory unchanged.
 */
export const of = (gitDir: string): string => {
  const objects = linkTarget(join(gitDir, "objects"))
  return objects === undefined ? gitDir : dirname(objects)
}
