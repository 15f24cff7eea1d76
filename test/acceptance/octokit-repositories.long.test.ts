/** @octokit/rest calls the settings, templates, transfers, forks and searches of repositories, and reads typed results. */
import { expect, it } from "vitest"
import { expectRecent, fullNames, logins, one, servePeople, status } from "./PeopleForge.test-support.ts"

const ORG = "yard"
const hulls = { owner: ORG, repo: "hulls" }
const plans = { owner: ORG, repo: "plans" }
const base64 = (text: string) => Buffer.from(text).toString("base64")
const text = (content: object) =>
  "content" in content && typeof content.content === "string" ? Buffer.from(content.content, "base64").toString() : ""

it("Octokit: settings of repositories, licenses and .gitignore templates", async () => {
  const { octokit, rest } = await servePeople("rosa")
  const { gitignore, issues, licenses, repos } = rest
  const { data: created } = await repos.createInOrg({
    org: ORG,
    name: "masts",
    visibility: "private",
    auto_init: true,
    gitignore_template: "Node",
    license_template: "mit",
    has_wiki: false,
    allow_rebase_merge: false,
    delete_branch_on_merge: true
  })
  expect(created).toMatchObject({
    visibility: "private",
    has_issues: true,
    has_wiki: false,
    allow_rebase_merge: false,
    allow_squash_merge: true,
    delete_branch_on_merge: true,
    merge_commit_title: "MERGE_MESSAGE",
    merge_commit_message: "PR_TITLE"
  })
  const masts = { owner: ORG, repo: "masts" }
  const { data: mit } = await licenses.get({ license: "mit" })
  expect([mit.key, mit.name, mit.spdx_id, mit.featured]).toEqual(["mit", "MIT License", "MIT", true])
  const { data: license } = await repos.getContent({ ...masts, path: "LICENSE" })
  expect(text(license)).toContain("Copyright (c) 20")
  expect(text(license)).toContain("Permission is hereby granted")
  expect((await licenses.getForRepo(masts)).data.license?.spdx_id).toBe("MIT")
  const keys = (await octokit.paginate(licenses.getAllCommonlyUsed, one)).map(({ key }) => key)
  expect(keys).toEqual(expect.arrayContaining(["apache-2.0", "gpl-3.0", "mit"]))
  expect(new Set(keys).size).toBe(keys.length)
  expect((await licenses.getAllCommonlyUsed({ featured: true })).data.length).toBeLessThan(keys.length)
  expect(await status(licenses.get({ license: "none" }))).toBe(404)

  expect((await gitignore.getAllTemplates()).data).toEqual(expect.arrayContaining(["Go", "Node", "Rust"]))
  const { data: node } = await gitignore.getTemplate({ name: "Node" })
  expect([node.name, node.source.includes("node_modules")]).toEqual(["Node", true])
  expect(text((await repos.getContent({ ...masts, path: ".gitignore" })).data)).toBe(node.source)
  const raw = await gitignore.getTemplate({ name: "Node", mediaType: { format: "raw" } })
  expect(raw.data).toBe(node.source)
  expect(await status(gitignore.getTemplate({ name: "None" }))).toBe(404)

  const { data: updated } = await repos.update({
    ...masts,
    has_issues: false,
    has_discussions: true,
    is_template: true,
    allow_auto_merge: true,
    allow_update_branch: true,
    squash_merge_commit_title: "PR_TITLE",
    squash_merge_commit_message: "PR_BODY",
    web_commit_signoff_required: true
  })
  expect(updated).toMatchObject({
    has_issues: false,
    has_discussions: true,
    is_template: true,
    allow_auto_merge: true,
    allow_update_branch: true,
    squash_merge_commit_title: "PR_TITLE",
    squash_merge_commit_message: "PR_BODY",
    web_commit_signoff_required: true
  })
  expect(await status(issues.create({ ...masts, title: "Varnish" }))).toBe(410)
  expect((await issues.listForRepo(masts)).data).toEqual([])
  expect((await repos.get(masts)).data).toMatchObject({ has_issues: false, allow_rebase_merge: false })
  const invalid = { merge_commit_title: "PR_TITLE", merge_commit_message: "PR_TITLE" } as const // literal titles
  expect(await status(repos.update({ ...masts, ...invalid }))).toBe(422)
  expect(await status(repos.createInOrg({ org: ORG, name: "spars", license_template: "none" }))).toBe(422)
})

it("Octokit: repositories from a template, and transfers", async () => {
  const { as, octokit, rest } = await servePeople("rosa")
  const { repos } = rest
  const template = { template_owner: ORG, template_repo: "plans" }
  const { data: generated } = await repos.createUsingTemplate({
    ...template,
    owner: ORG,
    name: "skiff",
    description: "A small boat",
    include_all_branches: true,
    private: true
  })
  expect([generated.full_name, generated.private, generated.description]).toEqual(["yard/skiff", true, "A small boat"])
  expect(generated.template_repository?.full_name).toBe("yard/plans")
  const skiff = { owner: ORG, repo: "skiff" }
  const branches = await octokit.paginate(repos.listBranches, { ...skiff, ...one })
  expect(branches.map(({ name }) => name)).toEqual(["draft", "main"])
  expect((await octokit.paginate(repos.listCommits, { ...skiff, ...one })).length).toBe(1)
  const file = { path: "src/hull.ts" }
  const { data: copy } = await repos.getContent({ ...skiff, ...file })
  expect(copy).toMatchObject({ sha: ((await repos.getContent({ ...plans, ...file })).data as { sha: string }).sha }) // oxlint-disable-line typescript/no-unsafe-type-assertion -- a file
  expect((await repos.createUsingTemplate({ ...template, name: "dinghy" })).data.owner.login).toBe("rosa")
  expect(await status(repos.createUsingTemplate({ ...template, name: "dinghy" }))).toBe(422)
  const noTemplate = { template_owner: ORG, template_repo: "hulls", name: "raft" }
  expect(await status(repos.createUsingTemplate(noTemplate))).toBe(422)
  expect(await status(as("walt").rest.repos.createUsingTemplate({ ...template, owner: ORG, name: "raft" }))).toBe(403)

  const moving = await repos.transfer({ owner: "rosa", repo: "dinghy", new_owner: ORG, new_name: "tender" })
  expect([moving.status, moving.data.full_name]).toEqual([202, "rosa/dinghy"])
  const { data: moved } = await repos.get({ owner: ORG, repo: "tender" })
  expect([moved.full_name, moved.owner.login, moved.owner.type]).toEqual(["yard/tender", ORG, "Organization"])
  // The old name redirects.
  expect((await repos.get({ owner: "rosa", repo: "dinghy" })).data.id).toBe(moved.id)
  expect(await status(repos.transfer({ ...skiff, new_owner: "otto" }))).toBe(422)
  expect(await status(as("otto").rest.repos.transfer({ ...hulls, new_owner: "otto" }))).toBe(403)
})

it("Octokit: all public repositories, autolinks, Markdown and the version", async () => {
  const { as, octokit, rest } = await servePeople("rosa")
  const { markdown, meta, repos } = rest
  await repos.createInOrg({ org: ORG, name: "secret", private: true })
  const all = await octokit.paginate(repos.listPublic)
  expect(fullNames(all)).toEqual(["fleet/boats", "fleet/docks", "yard/hulls", "yard/plans"])
  const since = all[1]?.id ?? 0
  expect((await repos.listPublic({ since })).data.map(({ id }) => id)).toEqual(all.slice(2).map(({ id }) => id))

  const list = async () => (await repos.listAutolinks(hulls)).data.map(({ key_prefix }) => key_prefix)
  expect(await list()).toEqual(["HULL-"])
  const { data: created } = await repos.createAutolink({
    ...hulls,
    key_prefix: "OAK-",
    url_template: "https://oaks.example/<num>",
    is_alphanumeric: false
  })
  expect([created.key_prefix, created.url_template, created.is_alphanumeric]).toEqual([
    "OAK-",
    "https://oaks.example/<num>",
    false
  ])
  const oak = { ...hulls, autolink_id: created.id }
  expect((await repos.getAutolink(oak)).data).toEqual(created)
  const again = { ...hulls, key_prefix: "oak-", url_template: "https://oaks.example/<num>" }
  expect(await status(repos.createAutolink(again))).toBe(422)

  const context = "yard/hulls"
  const rendered = async (source: string, mode: "gfm" | "markdown") =>
    (await markdown.render({ text: source, mode, context })).data
  expect(await rendered("**Ahoy**", "markdown")).toContain("<strong>Ahoy</strong>")
  const linked = await rendered("See OAK-12 and @rosa", "gfm")
  expect(linked).toContain('href="https://oaks.example/12"')
  expect(linked).toContain(">@rosa</a>")
  expect(await rendered("OAK-12", "markdown")).not.toContain("<a")
  expect(await status(repos.deleteAutolink(oak))).toBe(204)
  expect(await status(repos.getAutolink(oak))).toBe(404)
  expect(await list()).toEqual(["HULL-"])
  expect(await rendered("OAK-12", "gfm")).not.toContain("<a")
  expect(await status(as("otto").rest.repos.createAutolink({ ...again, key_prefix: "ELM-" }))).toBe(403)

  const { data: version } = await meta.get()
  expect(version.verifiable_password_authentication).toBe(false)
  expect((await meta.root()).data.topic_search_url).toContain("/search/topics?q={query}")
  expect(version).toHaveProperty("installed_version", expect.stringMatching(/^\d+\.\d+\.\d+$/))
})

it("Octokit: forks, and branches that follow the upstream repository", async () => {
  const { as, octokit, rest } = await servePeople("rosa")
  const { repos } = rest
  const { data: fork, status: created } = await repos.createFork(hulls)
  expect([created, fork.full_name, fork.fork, fork.parent?.full_name]).toEqual([202, "rosa/hulls", true, "yard/hulls"])
  // A second request gives the same fork.
  expect((await repos.createFork(hulls)).data.id).toBe(fork.id)
  const skiffs = { organization: ORG, name: "skiffs", default_branch_only: true }
  const { data: second } = await repos.createFork({ owner: "rosa", repo: "hulls", ...skiffs })
  expect([second.full_name, second.parent?.full_name, second.source?.full_name]).toEqual([
    "yard/skiffs",
    "rosa/hulls",
    "yard/hulls"
  ])
  await as("otto").rest.repos.createFork(hulls)
  const forks = await octokit.paginate(repos.listForks, { ...hulls, sort: "oldest", ...one })
  expect(forks.map(({ full_name }) => full_name)).toEqual(["rosa/hulls", "otto/hulls"])
  expect((await repos.get(hulls)).data.forks_count).toBe(2)

  const own = { owner: "rosa", repo: "hulls", branch: "main" }
  expect((await repos.mergeUpstream(own)).data).toMatchObject({ merge_type: "none", base_branch: "yard:main" })
  const write = (at: typeof hulls, path: string) =>
    repos.createOrUpdateFileContents({ ...at, path, message: `Write ${path}`, content: base64(`${path}\n`) })
  const { data: upstream } = await write(hulls, "keel.md")
  expect((await repos.mergeUpstream(own)).data.merge_type).toBe("fast-forward")
  expect((await repos.getBranch(own)).data.commit.sha).toBe(upstream.commit.sha)
  await write(hulls, "stem.md")
  await write({ owner: "rosa", repo: "hulls" }, "stern.md")
  expect((await repos.mergeUpstream(own)).data.merge_type).toBe("merge")
  expect((await repos.getBranch(own)).data.commit.parents).toHaveLength(2)
  await write(hulls, "deck.md")
  const conflicting = {
    owner: "rosa",
    repo: "hulls",
    path: "deck.md",
    message: "Another deck",
    content: base64("other")
  }
  await repos.createOrUpdateFileContents(conflicting)
  expect(await status(repos.mergeUpstream(own))).toBe(409)
  expect(await status(repos.mergeUpstream({ ...hulls, branch: "main" }))).toBe(422)
})

it("Octokit: searches", async () => {
  const { octokit, rest } = await servePeople("rosa")
  const { repos, search } = rest
  const query = { q: "hulls org:yard", sort: "stars", ...one } as const // a literal sort
  const found = await octokit.paginate(search.repos, query)
  expect(found.map(({ full_name }) => full_name)).toEqual(["yard/hulls", "yard/plans"])
  expect([found[0]?.stargazers_count, typeof found[0]?.score]).toEqual([1, "number"])
  const { data: page } = await search.repos({ ...query, order: "asc", mediaType: { format: "text-match" } })
  expect([page.total_count, page.incomplete_results, page.items[0]?.full_name]).toEqual([2, false, "yard/plans"])
  expect((await search.repos({ q: "language:typescript org:yard" })).data.items.map(({ name }) => name)).toEqual([
    "plans"
  ])
  expect(await status(search.repos({ q: "user:nobody-here" }))).toBe(422)

  expect(logins(await octokit.paginate(search.users, { q: "reyes location:rotterdam", ...one }))).toEqual(["rosa"])
  expect(logins((await search.users({ q: "yard type:org" })).data.items)).toEqual([ORG])
  const { data: matched } = await search.users({ q: "reyes", mediaType: { format: "text-match" } })
  expect(matched.items[0]?.text_matches).toMatchObject([{ property: "name", fragment: "Rosa Reyes" }])

  const { data: written } = await repos.createOrUpdateFileContents({
    ...hulls,
    path: "seams.md",
    message: "Caulk every seam\n\nWith oakum.",
    content: base64("dry\n")
  })
  const commits = await octokit.paginate(search.commits, { q: "oakum repo:yard/hulls author:rosa", ...one })
  expect(
    commits.map(({ author, commit, repository, sha }) => [sha, commit.message, author?.login, repository.full_name])
  ).toEqual([[written.commit.sha, "Caulk every seam\n\nWith oakum.", "rosa", "yard/hulls"]])
  expectRecent(commits[0]?.commit.author.date)
  const { data: initial } = await search.commits({ q: "initial org:yard", sort: "author-date", order: "asc" })
  expect(initial.total_count).toBe(2)

  const { data: repository } = await repos.get(hulls)
  const labels = await octokit.paginate(search.labels, { repository_id: repository.id, q: "oak", ...one })
  expect(labels.map(({ color, name }) => [name, color])).toEqual([
    ["oak rot", "8b4513"],
    ["leak", "0066cc"]
  ])
  expect(await status(search.labels({ repository_id: 999_999, q: "oak" }))).toBe(404)

  const topics = await octokit.paginate(search.topics, { q: "hulls", ...one })
  expect(topics.map(({ name, ...topic }) => [name, topic.repository_count, topic.featured])).toEqual([
    ["hulls", 2, false]
  ])
})
