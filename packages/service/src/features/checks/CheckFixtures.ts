/** Fixtures of statuses and check runs. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { annotationLevels, checkConclusions, checkStatuses } from "@tongs/core/contract/groups/CheckRuns"
import { statusStates } from "@tongs/core/contract/groups/Statuses"
import { InstallationRows } from "../../access/InstallationRows.ts"
import * as BotAccount from "../../accounts/BotAccount.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import * as CheckRunContent from "../../checks/CheckRunContent.ts"
import { CheckRunRows } from "../../checks/CheckRunRows.ts"
import { CheckSuiteRows } from "../../checks/CheckSuiteRows.ts"
import * as StatusContent from "../../checks/StatusContent.ts"
import { StatusRows } from "../../checks/StatusRows.ts"
import * as SuiteState from "../../checks/SuiteState.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { requireRow } from "../../storage/RowDecoder.ts"

const { failAt, foldCase, identity } = FixtureSection

/** Finds a commit by its id, or by a branch or tag. By default the newest commit of the default branch. */
const commitOf = Effect.fnUntraced(function* (fullName: string, path: string, name: string | undefined) {
  if (name === undefined) return yield* FixtureSection.tip(path, fullName)
  const [owner = "", repo = ""] = fullName.split("/", 2)
  const registry = yield* RepositoryRegistry
  const served = yield* Effect.orElseSucceed(registry.find(owner, repo), () => undefined)
  if (served === undefined) return yield* failAt("repository", `${fullName} cannot be opened`)
  const commit = yield* Effect.orElseSucceed(served.git.resolve(name), () => undefined)
  if (commit === undefined) return yield* failAt(path, `no commit ${JSON.stringify(name)}`)
  const isBranch = (yield* Effect.orElseSucceed(served.git.ref(`refs/heads/${name}`), () => undefined)) !== undefined
  return { branch: isBranch ? name : undefined, commit }
})

const firstMessage = (error: {
  readonly errors: ReadonlyArray<{ readonly message?: string }>
  readonly detail: string
}) => error.errors[0]?.message ?? error.detail

const Status = Schema.Struct({
  repository: Schema.String,
  /** Id of a commit, or a branch or tag; the default branch by default. */
  sha: Schema.optionalKey(Schema.String),
  creator: Schema.String,
  state: Schema.Literals(statusStates),
  context: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  target_url: Schema.optionalKey(Schema.String),
  created_at: Schema.optionalKey(FixtureTimestamp)
})

/** Adds a status. With `isOnce`, does nothing if the commit has an equal one. */
export const addStatus = Effect.fnUntraced(function* (row: typeof Status.Type, isOnce: boolean) {
  const { context = StatusContent.DEFAULT_CONTEXT, created_at, creator, description = null, repository, state } = row
  const { id } = yield* FixtureSection.repository("repository", repository)
  const { id: creator_id } = yield* FixtureSection.user("creator", creator)
  const { commit } = yield* commitOf(repository, "sha", row.sha)
  const content = { context, description, state, target_url: row.target_url ?? null }
  const problem = StatusContent.problem(content)
  if (problem !== undefined) return yield* failAt(problem.errors[0]?.field ?? "", firstMessage(problem))
  const rows = yield* StatusRows
  const known = yield* rows.list(id, commit, { page: 1, perPage: 100, offset: 0 })
  const isKnown = known.items.some(
    (one) => one.context === context && one.state === state && one.description === description
  )
  if (isOnce && isKnown) return
  yield* rows.add({
    ...content,
    repository_id: id,
    sha: commit,
    creator_id,
    created_at: created_at ?? timestamp(yield* Clock.currentTimeMillis)
  })
})

const CheckRun = Schema.Struct({
  repository: Schema.String,
  /** Slug of the app. */
  app: Schema.String,
  name: Schema.String,
  /** Id of a commit, or a branch or tag; the default branch by default. */
  head_sha: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Literals(checkStatuses)),
  conclusion: Schema.optionalKey(Schema.Literals(checkConclusions)),
  external_id: Schema.optionalKey(Schema.String),
  details_url: Schema.optionalKey(Schema.String),
  started_at: Schema.optionalKey(FixtureTimestamp),
  completed_at: Schema.optionalKey(FixtureTimestamp),
  title: Schema.optionalKey(Schema.String),
  summary: Schema.optionalKey(Schema.String),
  text: Schema.optionalKey(Schema.String),
  annotations: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        path: Schema.String,
        start_line: Schema.Int,
        /** `start_line` by default. */
        end_line: Schema.optionalKey(Schema.Int),
        annotation_level: Schema.Literals(annotationLevels),
        message: Schema.String,
        title: Schema.optionalKey(Schema.String)
      })
    )
  )
})

/** Adds a check run. With `isOnce`, does nothing if the app has one with this name for the commit. */
export const addCheckRun = Effect.fnUntraced(function* (row: typeof CheckRun.Type, isOnce: boolean) {
  const { annotations = [], app: slug, head_sha, repository, summary = "", text, title, ...input } = row
  const { id } = yield* FixtureSection.repository("repository", repository)
  const { branch, commit } = yield* commitOf(repository, "head_sha", head_sha)
  const app = yield* (yield* InstallationRows).app(slug)
  if (app === undefined) return yield* failAt("app", `no app ${JSON.stringify(slug)}`)
  yield* (yield* UserRows).ensure(BotAccount.of(app.slug))
  const now = timestamp(yield* Clock.currentTimeMillis)
  const remarks = annotations.map((one) => ({ ...one, end_line: one.end_line ?? one.start_line }))
  const output =
    title === undefined
      ? {}
      : { output: { title, summary, ...(text === undefined ? {} : { text }), annotations: remarks } }
  const content = CheckRunContent.of({ ...input, ...output }, undefined, { isWorkflow: true, now })
  if (Result.isFailure(content))
    return yield* failAt(content.failure.errors[0]?.field ?? "", firstMessage(content.failure))
  const suites = yield* CheckSuiteRows
  const runs = yield* CheckRunRows
  const created_at = content.success.started_at ?? now
  const origin = { head_branch: branch ?? null, before_sha: null, after_sha: null, created_at }
  const added = yield* suites.add({ repository_id: id, app_id: app.id, head_sha: commit, ...origin })
  const suite = added ?? (yield* requireRow(suites.ofApp(id, commit, app.id)))
  const same = { name: row.name, status: undefined, appId: undefined, isLatest: true }
  const known = yield* runs.listOfSuite(suite.id, same, { page: 1, perPage: 1, offset: 0 })
  if (isOnce && known.total > 0) return
  const run = yield* runs.add({
    ...content.success,
    repository_id: id,
    suite_id: suite.id,
    app_id: app.id,
    head_sha: commit,
    created_at,
    workflow_id: null,
    workflow_run_id: null
  })
  yield* runs.annotate(
    run.id,
    remarks.map(({ title: remarkTitle = null, ...one }) => ({
      ...one,
      start_column: null,
      end_column: null,
      title: remarkTitle,
      raw_details: null
    }))
  )
  yield* suites.setState(suite.id, { ...SuiteState.of(yield* runs.states(suite.id)), updated_at: created_at })
})

/** Sections `statuses` and `check_runs`. Load after repositories and apps. */
export const sections = () => [
  FixtureSection.make("statuses", Status, FixtureSection.wholeRow, (row) => addStatus(row, true)),
  FixtureSection.make(
    "check_runs",
    CheckRun,
    ({ app, head_sha, name, repository }) => [
      identity("name", foldCase(repository), foldCase(app), head_sha ?? "", name)
    ],
    (row) => addCheckRun(row, true)
  )
]
