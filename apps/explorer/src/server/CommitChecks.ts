/** Checks of a commit: check suites, check runs with annotations, and statuses. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { CheckRun } from "@tongs/core/contract/groups/CheckRuns"
import type { RepositoryName } from "../ExplorerApi.ts"
import type * as PullRequestApi from "../PullRequestApi.ts"
import { interactive } from "./RequestOptions.ts"

/** Maximum number of check runs, suites and statuses. */
const MAX_LISTED = 100

const ANNOTATIONS_PAGE = 50

/** The newest check run of each name, and the newest status of each context. */
export const ofCommit = Effect.fn("CommitChecks.ofCommit")(function* (
  commit: RepositoryName & { readonly ref: string }
) {
  const forge = yield* Forge
  const options = { ...(yield* interactive), perPage: MAX_LISTED }
  const [suites, runs, statuses] = yield* Effect.all(
    [
      forge.checkSuites.listForRef(commit, options).first,
      forge.checkRuns.listForRef(commit, options).first,
      forge.statuses.getCombinedForRef(commit, options).first
    ],
    { concurrency: 3 }
  )
  return {
    suites: suites.items.map(({ app, conclusion, id, status }) => ({ id, app: app?.name ?? null, status, conclusion })),
    runs: runs.items.map(run),
    totalRuns: runs.totalCount ?? runs.items.length,
    statuses: statuses.items.map(({ context, description, state, target_url: url, updated_at: updatedAt }) => ({
      context,
      state,
      description,
      url,
      updatedAt
    })),
    totalStatuses: statuses.totalCount ?? statuses.items.length
  } satisfies PullRequestApi.Checks
})

const run = (one: CheckRun): PullRequestApi.CheckRun => ({
  id: one.id,
  name: one.name,
  suite: one.check_suite?.id ?? null,
  status: one.status,
  conclusion: one.conclusion,
  startedAt: one.started_at,
  completedAt: one.completed_at,
  url: one.details_url,
  title: one.output.title,
  summary: one.output.summary,
  text: one.output.text,
  annotations: one.output.annotations_count
})

/** One page of the annotations of a check run. */
export const annotations = Effect.fn("CommitChecks.annotations")(function* ({
  owner,
  page,
  repo,
  run
}: RepositoryName & { readonly run: number; readonly page: number }) {
  const forge = yield* Forge
  const { items, links } = yield* forge.checkRuns.listAnnotations(
    { owner, repo, check_run_id: run },
    { ...(yield* interactive), page, perPage: ANNOTATIONS_PAGE }
  ).first
  return {
    annotations: items.map((one) => ({
      path: one.path,
      firstLine: one.start_line,
      lastLine: one.end_line,
      level: one.annotation_level,
      title: one.title,
      message: one.message ?? "",
      details: one.raw_details
    })),
    next: links.next === undefined ? null : page + 1
  } satisfies PullRequestApi.AnnotationPage
})
