import { dirname, join } from "node:path"
import { linkTarget } from "./Files.ts"

/** The served git directory behind an isolated one. Gives any other directory unchanged. */
export const of = (gitDir: string): string => {
  const objects = linkTarget(join(gitDir, "objects"))
  return objects === undefined ? gitDir : dirname(objects)
}
