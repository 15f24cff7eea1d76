/**
 * The `last-modified` header of a resource with a date.
 *
 * **Gotchas**
 *
 * An ETag validates a copy better than this date, which has whole seconds: a response also contains permissions and the
 * verification of signatures, and these change without a change of the date. `If-Modified-Since` counts only without
 * `If-None-Match`.
 */
import { isObject } from "./VersionChanges.ts"

/**
 * Returns the time of a resource's last change as HTTP date: for a repository the last push, for a commit the commit
 * date.
 */
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
