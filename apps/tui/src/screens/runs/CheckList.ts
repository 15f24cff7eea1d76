/** The check runs of a commit or check suite. */
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { CheckRun } from "@tongs/core/contract/groups/CheckRuns"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as PagedSource from "../../content/PagedSource.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import type * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as ResourceScreens from "../ResourceScreens.ts"
import type { Screen } from "../Screen.ts"
import * as RunState from "./RunState.ts"

/** Check runs per page: the maximum of the API. */
const PER_PAGE = 100

const table = (values: Arguments): TableDefinition<CheckRun> => ({
  hasHeader: true,
  columns: [
    { header: "", size: "fit" },
    { header: "CHECK", size: "grow" },
    { header: "STATE", size: "fit" },
    { header: "APP", size: "fit", maxShare: 0.25, optional: 1 },
    { header: "TIME", size: "fit", align: "right", optional: 2 },
    { header: "STARTED", size: "fit", align: "right", optional: 3 }
  ],
  noun: ["check run", "check runs"],
  emptyMessage: { title: "No checks", hint: "No app and no workflow has reported a result for this commit" },
  row: (run) => {
    const { owner, repo } = values
    const known = { owner, repo, check_run_id: run.id, ref: run.head_sha, check_suite_id: run.check_suite?.id }
    return {
      id: String(run.id),
      title: `check ${run.name}`,
      copy: String(run.id),
      // The job of a workflow has the id of its check run, and a log.
      route: isJob(run)
        ? Route.make("workflowJobs.get", { owner, repo, job_id: run.id })
        : Route.make("checkRuns.get", { owner, repo, check_run_id: run.id }),
      webUrl: run.details_url ?? run.html_url ?? undefined,
      arguments: known,
      value: run,
      cells: (now) => [
        [RunState.mark(run)],
        StyledLine.line(run.name, RunState.isFailed(run) ? "strong" : "plain"),
        StyledLine.line(RunState.words(run), RunState.roleOf(run)),
        StyledLine.line(run.app?.name ?? "", "muted"),
        StyledLine.line(RunState.duration(run.started_at, run.completed_at, now), "muted"),
        StyledLine.line(run.started_at === null ? "" : RelativeTime.format(Date.parse(run.started_at), now), "muted")
      ]
    }
  }
})

const isJob = ({ details_url: url, id }: CheckRun): boolean =>
  new RegExp(String.raw`/actions/runs/\d+/job/${id}$`).test(url ?? "")

const screen = (entry: CatalogEntry): Screen => ({
  ...ResourceScreens.make(entry),
  label: "checks",
  open: (environment, values) =>
    PagedSource.make<CheckRun>(environment, {
      definition: table(values),
      // The items of both lists have the schema of a check run.
      fetch: (forge, request) =>
        ResourceScreens.pageOf(entry, values)(forge, request) as ReturnType<Source.PagedList<CheckRun>["fetch"]>, // oxlint-disable-line typescript/no-unsafe-type-assertion -- decoded by this schema
      isNumbered: true,
      perPage: PER_PAGE
    })
})

/** The screens of lists of check runs. */
export const screens: ReadonlyArray<Screen> = entriesOfGroup("checkRuns")
  .filter(({ name }) => name === "listForRef" || name === "listForSuite")
  .map(screen)
