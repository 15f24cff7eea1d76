import { dirname, join } from "node:path"
import { linkTarget } from "./Files.ts"

/** The git directory of the repository whose isolated git directory this is; any other directory itself. */
export const of = (gitDir: string): string => {
  const objects = linkTarget(join(gitDir, "objects"))
  return objects === undefined ? gitDir : dirname(objects)
}
