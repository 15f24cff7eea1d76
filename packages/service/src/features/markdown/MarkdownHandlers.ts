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
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"

/** Maximum bytes of a text. */
const MAX_BYTES = 400 * 1024

/** Maximum characters of a text that this thread renders, as of issues: rendering blocks the event loop. */
const MAX_DIRECT = 65_536

const tooLong = ApiError.invalid(`text is too long (maximum is ${MAX_BYTES} bytes)`, [
  { resource: "Markdown", field: "text", code: "too_long" }
])

const tooSlow = ApiError.invalid("text takes too long to render", [
  { resource: "Markdown", field: "text", code: "invalid" }
])

const encoder = new TextEncoder()

/** Handlers that render Markdown. */
export const make = Effect.gen(function* () {
  const bodies = yield* MarkdownBodies
  const contents = yield* ContentSearchPool
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

  /** Renders a text without references, in another process if the text is long. */
  const renderAlone = Effect.fnUntraced(function* (text: string, mode: "markdown" | "gfm") {
    if (encoder.encode(text).byteLength > MAX_BYTES) return yield* tooLong
    if (Characters.exceed(text, MAX_DIRECT)) {
      const rendering = contents.renderMarkdown({ text, mode })
      return (yield* Effect.catchTag(rendering, "IndexError", Effect.die)) ?? (yield* tooSlow)
    }
    const markdown = yield* renderer
    return mode === "markdown" ? markdown.documentHtml(text) : markdown.commentHtml(text)
  })

  return group(Markdown)({
    *render({ context: fullName, mode = "markdown", text }, context) {
      const isLinked = mode === "gfm" && fullName !== undefined && !Characters.exceed(text, MAX_DIRECT)
      const repository = isLinked ? yield* repositoryOf(fullName, context) : undefined
      const linked =
        repository === undefined ? [] : yield* bodies.make([{ text, repository }], { ...context, mediaType: "html" })
      return rawBody("text/html; charset=utf-8", linked[0]?.body_html ?? (yield* renderAlone(text, mode)))
    },

    *renderRaw({ text }) {
      return rawBody("text/html; charset=utf-8", yield* renderAlone(text, "markdown"))
    }
  })
})
