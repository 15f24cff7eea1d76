/** The screens that events lead to. */
import type { Event } from "@tongs/core/contract/groups/Events"
import * as Route from "../../content/Route.ts"
import * as EventText from "./EventText.ts"

const noCommit = /^0+$/

/** Splits `owner/name`. Undefined for other texts. */
const repositoryOf = (fullName: string): { readonly owner: string; readonly repo: string } | undefined => {
  const [owner = "", repo = "", ...rest] = fullName.split("/")
  return owner === "" || repo === "" || rest.length > 0 ? undefined : { owner, repo }
}

/** Returns the route of a commit of the event's repository. */
export const commit = (event: Event, sha: unknown): Route.Route | undefined => {
  const repository = repositoryOf(event.repo.name)
  return repository === undefined || typeof sha !== "string" || noCommit.test(sha)
    ? undefined
    : Route.make("commits.get", { ...repository, ref: sha })
}

/** Returns the route of the log of the event's repository. */
export const repository = (event: Event): Route.Route | undefined => log(event.repo.name)

const log = (fullName: string, sha?: string): Route.Route | undefined => {
  const found = repositoryOf(fullName)
  return found === undefined ? undefined : Route.make("commits.list", { ...found, sha })
}

/** Returns the screen of an event's subject: a commit, a branch, a comment, an account, or the event's repository. */
export const of = (event: Event): Route.Route | undefined => {
  const get = (...path: ReadonlyArray<string>) => EventText.field(event, ...path)
  const found = repositoryOf(event.repo.name)
  const ref = EventText.refOf(event)
  const comment = (screen: string) => {
    const id = get("comment", "id")
    return found === undefined || id === "" ? undefined : Route.make(screen, { ...found, comment_id: Number(id) })
  }
  const specific = (): Route.Route | undefined => {
    switch (event.type) {
      case "PushEvent": {
        const commits = EventText.list(event, "commits").length
        // The branch, because later pushes can have removed the commits.
        return commits === 1 ? commit(event, get("head")) : log(event.repo.name, ref || get("head"))
      }
      case "CreateEvent":
        return ref === "" ? undefined : log(event.repo.name, ref)
      case "ReleaseEvent":
        return get("release", "tag_name") === "" ? undefined : log(event.repo.name, get("release", "tag_name"))
      case "CommitCommentEvent":
        return comment("commitComments.get")
      case "PullRequestReviewCommentEvent":
        return comment("reviewComments.get")
      case "ForkEvent":
        return log(get("forkee", "full_name"))
      case "MemberEvent":
        return get("member", "login") === ""
          ? undefined
          : Route.make("users.getByUsername", { username: get("member", "login") })
      default:
        return undefined
    }
  }
  return specific() ?? repository(event)
}
