/** The runs of a repository or workflow. */
import type { WorkflowRun } from "@tongs/core/contract/groups/WorkflowRuns"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as PagedSource from "../../content/PagedSource.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import type * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as ResourceScreens from "../ResourceScreens.ts"
import { type Screen, text } from "../Screen.ts"
import * as RunState from "./RunState.ts"

/** Runs per page. Each contains two repositories, and the client does not cache much larger responses. */
const PER_PAGE = 50

/** Returns the arguments that a run gives to operations. */
export const argumentsOf = (values: Arguments, run: WorkflowRun): Arguments => ({
  owner: values["owner"],
  repo: values["repo"],
  run_id: run.id,
  attempt_number: run.run_attempt,
  workflow_id: run.workflow_id,
  check_suite_id: run.check_suite_id,
  ref: run.head_sha
})

const table = (values: Arguments): TableDefinition<WorkflowRun> => ({
  hasHeader: true,
  columns: [
    { header: "", size: "fit" },
    { header: "TITLE", size: "grow" },
    { header: "WORKFLOW", size: "fit", maxShare: 0.25, optional: 2 },
    { header: "BRANCH", size: "fit", maxShare: 0.2, optional: 1 },
    { header: "EVENT", size: "fit", maxShare: 0.2, optional: 4 },
    { header: "TIME", size: "fit", align: "right", optional: 3 },
    { header: "STARTED", size: "fit", align: "right" }
  ],
  noun: ["run", "runs"],
  emptyMessage: { title: "No runs", hint: "Pushes and dispatches start the workflows in .github/workflows" },
  row: (run) => ({
    id: String(run.id),
    title: `run ${run.display_title}`,
    copy: String(run.id),
    route: Route.make("workflowRuns.get", { owner: values["owner"], repo: values["repo"], run_id: run.id }),
    webUrl: run.html_url,
    arguments: argumentsOf(values, run),
    value: run,
    cells: (now) => [
      [RunState.mark(run)],
      StyledLine.line(run.display_title, RunState.isFailed(run) ? "strong" : "plain"),
      StyledLine.line(run.name ?? run.path, "accent"),
      StyledLine.line(run.head_branch ?? "", "id"),
      StyledLine.line(run.event, "muted"),
      StyledLine.line(timeOf(run, now), "muted"),
      StyledLine.line(RelativeTime.format(Date.parse(run.created_at), now), "muted")
    ]
  })
})

/** Returns how long a run took or has taken. Empty for a run that no runner has begun. */
export const timeOf = (run: WorkflowRun, now: number): string =>
  run.status === "queued"
    ? ""
    : RunState.duration(run.run_started_at ?? run.created_at, RunState.isRunning(run) ? null : run.updated_at, now)

const screen = (entry: CatalogEntry): Screen => ({
  ...ResourceScreens.make(entry),
  label: "runs",
  title: (values) => ["runs", text(values, "branch"), text(values, "status")].filter((word) => word !== "").join(" "),
  open: (environment, values) =>
    PagedSource.make<WorkflowRun>(environment, {
      definition: table(values),
      // The items of both lists have the schema of a run.
      fetch: (forge, request) =>
        ResourceScreens.pageOf(entry, values)(forge, request) as ReturnType<Source.PagedList<WorkflowRun>["fetch"]>, // oxlint-disable-line typescript/no-unsafe-type-assertion -- decoded by this schema
      isNumbered: true,
      perPage: PER_PAGE
    })
})

/** The screens of lists of runs. */
export const screens: ReadonlyArray<Screen> = entriesOfGroup("workflowRuns")
  .filter(({ name }) => name === "listForRepo" || name === "listForWorkflow")
  .map(screen)
