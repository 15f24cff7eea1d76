/** Names of commits that agents know from git, but forges may not. */
import type * as Failure from "@tongs/core/contract/Failure"
import { ToolError } from "../call/ToolError.ts"

/** Returns a function that explains a failure if one of the names is relative, for example `HEAD~5`. */
export const explain =
  (names: ReadonlyArray<string>) =>
  <E extends Failure.Failure>(failure: E): E | ToolError => {
    const relative = names.find((name) => /[~^]|@\{/.test(name))
    return relative !== undefined && (failure._tag === "NotFound" || failure._tag === "ValidationFailed")
      ? new ToolError({
          detail: `The forge does not find ${JSON.stringify(relative.slice(0, 100))}. Pass a branch, a tag or a commit, which list_commits lists.`
        })
      : failure
  }
