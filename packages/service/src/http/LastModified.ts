/**
 * When a resource changed, where it says so itself (spec part 4, "Conditional requests").
 *
 * **Gotchas**
 *
 * It is told, and not compared: `If-Modified-Since` is ignored, as HTTP allows. Times have whole seconds, and an answer
 * holds more than its resource (who may do what to it, whether a signature is one of a key that is known now), so only
 * an ETag says that a client's copy is still good.
 */
import { isObject } from "./VersionChanges.ts"

/** As the header has it. Of a repository, a push is a change too; a commit is as old as it says. */
export const of = (value: unknown): string | undefined => {
  const commit = member(value, "commit") ?? value
  const times = [
    member(value, "updated_at"),
    member(value, "pushed_at"),
    member(member(commit, "committer"), "date")
  ].flatMap((time) => (typeof time === "string" ? [Date.parse(time)] : []))
  const latest = Math.max(...times)
  return Number.isFinite(latest) ? new Date(latest).toUTCString() : undefined
}

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)
