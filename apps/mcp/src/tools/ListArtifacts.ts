/** The tool `list_artifacts`: artifacts of workflow runs, with the sums of the sizes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { Artifact } from "@tongs/core/contract/groups/Artifacts"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Item } from "../answer/Answer.ts"
import { repositoryOf } from "../call/Call.ts"
import * as Listing from "../lists/Listing.ts"
import * as Tool from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as Times from "../text/Times.ts"
import * as ListScan from "../lists/ListScan.ts"

export const make = (): Tool.Tool =>
  Tool.make({
    name: "list_artifacts",
    description: "List artifacts of workflow runs, newest first, with their sizes.",
    uses: ["artifacts.listForRepo", "artifacts.listForWorkflowRun"],
    isList: true,
    input: Schema.Struct({
      repo: ToolInput.repo,
      name: Schema.optionalKey(Schema.String),
      run: Schema.optionalKey(Schema.Int),
      expired: Schema.optionalKey(Schema.Boolean)
    }),
    run: Effect.fnUntraced(function* ({ expired, name, repo: given, run }, call) {
      const { artifacts } = yield* Forge
      const { owner, repo } = yield* repositoryOf(given, call)
      const params = { owner, repo, ...(name === undefined ? {} : { name }) }
      const sums = { artifacts: 0, bytes: 0, expired: 0, expired_bytes: 0 }
      const list = ListScan.source(
        (options) =>
          run === undefined
            ? artifacts.listForRepo(params, options)
            : artifacts.listForWorkflowRun({ ...params, run_id: run }, options),
        (artifact) => {
          sums.artifacts += 1
          sums.bytes += artifact.size_in_bytes
          if (artifact.expired) {
            sums.expired += 1
            sums.expired_bytes += artifact.size_in_bytes
          }
          return expired === undefined || artifact.expired === expired ? show(artifact, call.now) : undefined
        }
      )
      // The first answer has the sums, which need all pages.
      const isFirst = call.position === undefined
      const limit = isFirst ? Number.POSITIVE_INFINITY : Listing.MAX_LIMIT
      const { items, next, scanned, total } = yield* ListScan.read(call, [list], {
        limit,
        perPage: Listing.MAX_LIMIT,
        source: { repo: `${owner}/${repo}`, name, run }
      })
      return {
        source: { repo: `${owner}/${repo}`, name, run, ...(isFirst ? sums : {}) },
        items,
        next,
        notes:
          isFirst && total !== undefined && scanned < total
            ? [`The sums are those of the newest ${scanned} of ${total} artifacts.`]
            : []
      }
    })
  })

const show = (artifact: Artifact, now: number): Item => {
  const { expired, expires_at: expires, id, name, size_in_bytes: bytes, workflow_run: run } = artifact
  const expiry =
    expires === null ? (expired ? "expired" : "") : `${expired ? "expired" : "expires"} ${Times.short(expires, now)}`
  return {
    data: { id, name, bytes, expired, expires, branch: run?.head_branch, run: run?.id },
    text: [
      `${id} ${name} ${NumberFormat.bytes(bytes)}`,
      expiry,
      [run?.head_branch ?? "", run?.id === undefined ? "" : `run ${run.id}`].filter((part) => part !== "").join(" ")
    ]
      .filter((part) => part !== "")
      .join(", ")
  }
}
