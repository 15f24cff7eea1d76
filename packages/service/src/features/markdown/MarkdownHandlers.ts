import * as Effect from "effect/Effect"
import { Markdown } from "@tongs/core/contract/groups/Markdown"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import { Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group, rawBody } from "../../api/Handlers.ts"
import { renderer } from "../../api/MarkdownBody.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as RequestTarget from "../../api/RequestTarget.ts"
import * as Characters from "../../base/Characters.ts"
import { MarkdownBodies } from "../../issues/MarkdownBodies.ts"

/** Maximum length of a text, as of issues: rendering blocks the event loop. */
const MAX_TEXT = 65_536

/** Handler that renders Markdown. */
export const make = Effect.gen(function* () {
  const bodies = yield* MarkdownBodies
  const roles = yield* Roles
  const targets = yield* RequestTarget.make

  /** Finds the repository of references. Undefined if the caller cannot read the repository: nothing is linked. */
  const repositoryOf = Effect.fnUntraced(function* (fullName: string, { caller }: RequestContext) {
    const [owner = "", name = ""] = fullName.split("/", 2)
    const found = yield* targets
      .repository(owner, name, caller)
      .pipe(Effect.catch((error) => (error._tag === "GitError" ? Effect.fail(error) : Effect.undefined)))
    const rows = found === undefined ? [] : [found.repository.row]
    return (yield* roles.readable(caller, rows, readsIssues.permission.flat())).length === 0
      ? undefined
      : found?.repository
  })

  return group(Markdown)({
    *render({ context: fullName, mode = "markdown", text }, context) {
      if (Characters.exceed(text, MAX_TEXT)) {
        return yield* ApiError.invalid(`text is too long (maximum is ${MAX_TEXT} characters)`, [
          { resource: "Markdown", field: "text", code: "too_long" }
        ])
      }
      const markdown = yield* renderer
      const repository =
        mode === "markdown" || fullName === undefined ? undefined : yield* repositoryOf(fullName, context)
      const linked =
        repository === undefined ? [] : yield* bodies.make([{ text, repository }], { ...context, mediaType: "html" })
      const html =
        mode === "markdown"
          ? markdown.documentHtml(text)
          : (linked[0]?.body_html ?? markdown.html(markdown.render(text), () => undefined))
      return rawBody("text/html; charset=utf-8", html)
    }
  })
})
