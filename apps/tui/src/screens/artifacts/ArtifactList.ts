/** The artifacts of a repository or of a workflow run. */
import type { Artifact } from "@tongs/core/contract/groups/Artifacts"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as ArtifactDocument from "./ArtifactDocument.ts"

/** Artifacts per page: the maximum of the API. */
const PER_PAGE = 100

/** Creates the table of artifacts. */
export const table = (values: Arguments): TableDefinition<Artifact> => ({
  hasHeader: true,
  columns: [
    { header: "NAME", size: "grow" },
    { header: "SIZE", size: "fit", align: "right" },
    { header: "BRANCH", size: "fit", maxShare: 0.3, optional: 3 },
    { header: "CREATED", size: "fit", align: "right", optional: 2 },
    { header: "EXPIRES", size: "fit", align: "right", optional: 1 },
    { header: "ID", size: "fit", align: "right", optional: 4 }
  ],
  noun: ["artifact", "artifacts"],
  emptyMessage: { title: "No artifacts", hint: "Workflow runs create them" },
  row: (artifact) => {
    const known = ArtifactDocument.argumentsOf(values, artifact)
    return {
      id: String(artifact.id),
      title: artifact.name,
      copy: artifact.name,
      route: Route.make("artifacts.get", {
        owner: known["owner"],
        repo: known["repo"],
        artifact_id: artifact.id
      }),
      arguments: known,
      value: artifact,
      cells: (now) => [
        StyledLine.line(artifact.name, artifact.expired ? "muted" : "plain"),
        StyledLine.line(NumberFormat.bytes(artifact.size_in_bytes), artifact.expired ? "muted" : "number"),
        StyledLine.line(artifact.workflow_run?.head_branch ?? "", artifact.expired ? "muted" : "accent"),
        StyledLine.line(
          artifact.created_at === null ? "" : RelativeTime.format(Date.parse(artifact.created_at), now),
          "muted"
        ),
        ArtifactDocument.expiry(artifact, now),
        StyledLine.line(String(artifact.id), "id")
      ],
      preview: () => ArtifactDocument.make(artifact, values)
    }
  }
})

const repositoryOf = (values: Arguments) => ({ owner: text(values, "owner"), repo: text(values, "repo") })

/** Returns the filters of the list that are part of the route. */
const nameOf = (values: Arguments) => (text(values, "name") === "" ? {} : { name: text(values, "name") })

/** The screen of `artifacts.listForRepo`. */
export const ofRepository: Screen = {
  id: "artifacts.listForRepo",
  label: "artifacts",
  get entry() {
    return entriesOfGroup("artifacts").find(({ name }) => name === "listForRepo")
  },
  required: ["owner", "repo"],
  title: () => "artifacts",
  open: (environment, values) =>
    PagedSource.make(environment, {
      definition: table(values),
      fetch: (forge, { cursor: _cursor, ...options }) =>
        forge.artifacts.listForRepo({ ...repositoryOf(values), ...nameOf(values) }, options).first,
      isNumbered: true,
      perPage: PER_PAGE
    })
}

/** The screen of `artifacts.listForWorkflowRun`. */
export const ofRun: Screen = {
  id: "artifacts.listForWorkflowRun",
  label: "artifacts of a run",
  get entry() {
    return entriesOfGroup("artifacts").find(({ name }) => name === "listForWorkflowRun")
  },
  required: ["owner", "repo", "run_id"],
  title: (values) => `run ${text(values, "run_id")}`,
  open: (environment, values) =>
    PagedSource.make(environment, {
      definition: table(values),
      fetch: (forge, { cursor: _cursor, ...options }) =>
        forge.artifacts.listForWorkflowRun(
          { ...repositoryOf(values), ...nameOf(values), run_id: Number(text(values, "run_id")) },
          options
        ).first,
      isNumbered: true,
      perPage: PER_PAGE
    })
}
