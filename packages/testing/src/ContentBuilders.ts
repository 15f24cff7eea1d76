/** Creates rulesets, issues, comments, releases, artifacts and billed usage from short descriptions. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { IssueFixture, PullRequestFixture } from "./ActivityFixtures.ts"
import * as FastImport from "./FastImport.ts"
import type { TestForge, TestIssue } from "./TestForge.ts"

interface Options extends Pick<TestForge, "add" | "owner"> {
  readonly addIssue: (row: IssueFixture) => Promise<TestIssue>
  readonly addPullRequest: (row: PullRequestFixture) => Promise<TestIssue>
  /** Creates missing users. */
  readonly ensureUser: (login: string) => Promise<void>
  /** Folder for temporary files. */
  readonly folder: string
}

type ContentBuilders = Pick<
  TestForge,
  "ruleset" | "issue" | "pullRequest" | "label" | "milestone" | "comment" | "release" | "artifact" | "usage"
>

/** All branches of all repositories. */
const everywhere = { ref_name: { include: ["~ALL"] }, repository_name: { include: ["~ALL"] } }

export const make = ({ add, addIssue, addPullRequest, ensureUser, folder, owner }: Options): ContentBuilders => ({
  ruleset: (owner, rules, options = {}) => {
    const isRepository = owner.includes("/")
    const conditions = isRepository ? { ref_name: everywhere.ref_name } : everywhere
    const at = isRepository ? { repository: owner } : { organization: owner }
    return add({ rulesets: [{ ...at, rules, name: "Rules", enforcement: "active", conditions, ...options }] })
  },
  issue: async (repository, title, { user = owner.login, ...options } = {}) => {
    await ensureUser(user)
    return addIssue({ repository, user, title, ...defined(options) })
  },
  pullRequest: async (repository, head, { headRepository, title = head, user = owner.login, ...options } = {}) => {
    await ensureUser(user)
    return addPullRequest({
      repository,
      user,
      title,
      head,
      ...defined({ head_repository: headRepository, ...options })
    })
  },
  label: (repository, name, options = {}) => add({ labels: [{ repository, name, ...defined(options) }] }),
  milestone: (repository, title, { dueOn, ...options } = {}) => {
    const due = dueOn === undefined ? {} : { due_on: dueOn.toISOString() }
    return add({ milestones: [{ repository, creator: owner.login, title, ...defined(options), ...due }] })
  },
  comment: async (repository, body, { commit, issue, line, path, user = owner.login } = {}) => {
    const ofCommit = Object.entries({ commit, path, line }).find(([, value]) => value !== undefined)
    if (issue !== undefined && ofCommit !== undefined)
      throw new TypeError(`A comment on an issue has no ${ofCommit[0]}`)
    await ensureUser(user)
    if (issue !== undefined) {
      return add({ issue_comments: [{ repository, number: issue, user, body }] })
    }
    await add({
      commit_comments: [
        {
          repository,
          user,
          body,
          ...(commit === undefined ? {} : { commit_id: commit }),
          ...(path === undefined ? {} : { path }),
          ...(line === undefined ? {} : { line })
        }
      ]
    })
  },
  release: async (repository, tag, { assets = {}, author = owner.login, target, ...options } = {}) => {
    FastImport.checkFiles(assets)
    await ensureUser(author)
    const file = mkdtempSync(join(folder, "release-"))
    const files = Object.entries(assets).flatMap(([name, content], index) => {
      if (content === null) return []
      const path = join(file, String(index))
      writeFileSync(path, content)
      return [{ name, file: path }]
    })
    const commit = target === undefined ? {} : { target_commitish: target }
    const row = { repository, author, tag_name: tag, ...commit, ...defined(options) }
    await add({ releases: [{ ...row, assets: files }] })
    rmSync(file, { recursive: true })
  },
  artifact: async (repository, files, { expiresAt, name = "artifact", run = 1 } = {}) => {
    FastImport.checkFiles(files)
    const file = mkdtempSync(join(folder, "artifact-"))
    for (const [path, content] of Object.entries(files)) {
      if (content === null) continue
      mkdirSync(dirname(join(file, path)), { recursive: true })
      writeFileSync(join(file, path), content)
    }
    const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() }
    await add({ artifacts: [{ repository, name, file, workflow_run: { id: run }, ...expiry }] })
    rmSync(file, { recursive: true })
  },
  usage: (organization, options = {}) => {
    const price = { quantity: 100, unitType: "minutes", pricePerUnit: 0.008 }
    const usage = { date: "now-0d", product: "actions", sku: "Actions Linux", ...price, ...options }
    return add({ billing_usage: [{ organization, ...usage }] })
  }
})

type Defined<A> = { readonly [K in keyof A]: Exclude<A[K], undefined> }

/** Removes the undefined members. */
const defined = <A extends object>(row: A) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without the undefined members
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Defined<A>
