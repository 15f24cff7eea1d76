/** An artifact: size, branch, times and digest. */
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Artifact } from "@tongs/core/contract/groups/Artifacts"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"

/** Remaining time below which the expiry is a warning, in milliseconds: 3 days. */
const SOON = 3 * 24 * 60 * 60_000

/** Returns when an artifact expires: `expired`, `in 2 days` as a warning, `in 80 days`. */
export const expiry = ({ expired, expires_at }: Artifact, now: number): Line => {
  if (expired) return StyledLine.line("expired", "muted")
  if (expires_at === null) return StyledLine.line("never", "muted")
  const at = Date.parse(expires_at)
  return StyledLine.line(RelativeTime.format(at, now), at - now < SOON ? "warning" : "plain")
}

export const argumentsOf = (values: Arguments, artifact: Artifact): Arguments => ({
  owner: values["owner"],
  repo: values["repo"],
  artifact_id: artifact.id,
  run_id: artifact.workflow_run?.id,
  ref: artifact.workflow_run?.head_sha
})

const NAME_WIDTH = 11

const field = (name: string, value: Line): Line => [
  ...StyledLine.fit(StyledLine.line(name, "muted"), NAME_WIDTH),
  ...value
]

const time = (name: string, at: string | null): ReadonlyArray<LineAtTime> =>
  at === null
    ? []
    : [
        (now) => ({
          line: field(name, [
            StyledLine.span(RelativeTime.format(Date.parse(at), now)),
            StyledLine.span(`  ${at}`, "muted")
          ]),
          copy: at
        })
      ]

export const make = (artifact: Artifact, values: Arguments): Document.Document => {
  const { owner, repo } = values
  const { digest, workflow_run: run } = artifact
  const { head_sha: ref, id: run_id } = run ?? {}
  const lines: ReadonlyArray<DocumentLine | LineAtTime> = [
    { line: field("size", StyledLine.line(NumberFormat.bytes(artifact.size_in_bytes))) },
    (now) => ({
      line: field("expires", [
        ...expiry(artifact, now),
        StyledLine.span(artifact.expires_at === null ? "" : `  ${artifact.expires_at}`, "muted")
      ])
    }),
    ...time("created", artifact.created_at),
    ...(artifact.updated_at === artifact.created_at ? [] : time("updated", artifact.updated_at)),
    ...(run?.head_branch === undefined
      ? []
      : [
          {
            line: field("branch", StyledLine.line(run.head_branch, "link")),
            route: Route.make("commits.list", { owner, repo, sha: run.head_branch })
          }
        ]),
    ...(ref === undefined
      ? []
      : [
          {
            line: field("commit", StyledLine.line(AbbreviatedId.of(ref), "link")),
            route: Route.make("commits.get", { owner, repo, ref }),
            copy: ref
          }
        ]),
    ...(run_id === undefined
      ? []
      : [
          {
            line: field("run", [
              StyledLine.span(String(run_id), "link"),
              StyledLine.span("  all its artifacts", "muted")
            ]),
            route: Route.make("artifacts.listForWorkflowRun", { owner, repo, run_id })
          }
        ]),
    {
      line: field(
        "digest",
        digest === undefined || digest === null
          ? StyledLine.line("none: a download cannot be verified", "warning")
          : StyledLine.line(digest, "id")
      ),
      ...(typeof digest === "string" ? { copy: digest } : {})
    },
    { line: field("id", StyledLine.line(String(artifact.id), "id")), copy: String(artifact.id) }
  ]
  return Document.make(
    String(artifact.id),
    (columns) => {
      const title = StyledLine.wrap(artifact.name, columns).map((part) => ({ line: StyledLine.line(part, "title") }))
      const download: DocumentLine = artifact.expired
        ? { line: StyledLine.line("Expired: the archive cannot be downloaded any more", "muted") }
        : {
            line: [
              StyledLine.span("Download ›", "link"),
              StyledLine.span(
                typeof digest === "string" ? "  asks where to save, then verifies the digest" : "  asks where to save",
                "muted"
              )
            ],
            route: Route.make("artifacts.download", { owner, repo, artifact_id: artifact.id })
          }
      return Document.fromLines(
        [...title, { line: StyledLine.empty }, download, { line: StyledLine.empty }, ...lines],
        {
          initialLine: artifact.expired ? 0 : title.length + 1
        }
      )
    },
    { value: artifact }
  )
}

/** The screen of `artifacts.get`. */
export const screen: Screen = {
  id: "artifacts.get",
  label: "artifact",
  get entry() {
    return entriesOfGroup("artifacts").find(({ name }) => name === "get")
  },
  required: ["owner", "repo", "artifact_id"],
  title: (values) => `artifact ${text(values, "artifact_id")}`,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        forge.artifacts.get(
          {
            owner: text(values, "owner"),
            repo: text(values, "repo"),
            artifact_id: Number(text(values, "artifact_id"))
          },
          options
        ),
      (artifact) => make(artifact, values),
      ResponseAge.age
    )
}
