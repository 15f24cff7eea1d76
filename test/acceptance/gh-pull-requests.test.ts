/** The command lines of `gh pr` on the embedded forge, through `tongs run`, in a work tree and an empty home. */
import { execFile } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { git, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { compileCache, program } from "./TongsCommand.test-support.ts"

type Json = any // oxlint-disable-line typescript/no-explicit-any -- assertions look into it

/** Fields of `gh pr view --json` and `gh pr list --json` in all versions of gh. */
const fields =
  `additions,assignees,author,baseRefName,body,changedFiles,closed,closedAt,comments,commits,createdAt,deletions,
files,headRefName,headRefOid,headRepository,headRepositoryOwner,id,isCrossRepository,isDraft,labels,latestReviews,
maintainerCanModify,mergeCommit,mergeStateStatus,mergeable,mergedAt,mergedBy,milestone,number,potentialMergeCommit,
reactionGroups,reviewDecision,reviewRequests,reviews,state,statusCheckRollup,title,updatedAt,url`.replaceAll("\n", "")

/** A forge with a repository `hello`, and a function that runs shell code in its work tree. */
const start = () => {
  const root = temporaryFolder()
  const repos = join(root, "repos")
  const home = join(root, "home")
  for (const folder of [repos, home]) mkdirSync(folder)
  const folder = join(repos, "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", folder])
  git(folder, ["commit", "--quiet", "--allow-empty", "--message=first"])
  const person = { NAME: "Ada", EMAIL: "ada@example.com" }
  const people = ["AUTHOR", "COMMITTER"].flatMap((role) =>
    Object.entries(person).map(([name, value]) => [`GIT_${role}_${name}`, value])
  )
  const env = {
    ...compileCache,
    ...Object.fromEntries(people),
    PATH: process.env["PATH"],
    HOME: home,
    LANG: "C.UTF-8",
    NO_COLOR: "1"
  }
  const flags = [program, "--data", join(root, "data"), "--repos", repos]
  const options = { cwd: folder, env, maxBuffer: 16_000_000 }
  const run = async (code: string) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...flags, "run", "--", "bash", "-eu", "-o", "pipefail", "-c", code],
      options
    )
    return stdout
  }
  return { run }
}

it.skipIf(!hasPrograms("gh"))("gh: `gh pr` through `tongs run`", { timeout: 240_000 }, async () => {
  const { run } = start()
  const owner = (await run("gh api user --jq .login")).trim()
  const repository = `repos/${owner}/hello`
  await run(`
    git remote add origin http://github.localhost/${owner}/hello.git
    for name in topic other; do
      git switch --quiet --create $name main
      echo $name > $name.txt
      git add .
      git commit --quiet --message "Add $name"
    done
    git switch --quiet main
    gh label create odd
    gh api --silent -X POST ${repository}/milestones -f title=first
  `)

  const created = await run(`
    gh pr create --title One --body Body --head topic --base main --label odd --assignee ${owner} --milestone first
    gh pr create --title Two --body Body --head other --base main --draft
  `)
  expect(created.trim().split("\n")).toEqual(
    [1, 2].map((number) => `http://github.localhost/${owner}/hello/pull/${number}`)
  )
  await expect(run("gh pr create --title One --body Body --head topic --base main")).rejects.toThrow(/already exists/)

  const lists = await run(`
    list() { gh pr list --json number --jq '[.[].number] | sort | @csv' "$@"; }
    list
    list --head topic --base main
    list --label odd
    list --assignee ${owner}
    list --author ${owner} --state all
    list --draft
    list --search 'Two in:title -is:merged'
    list --search 'review-requested:@me'
    list --state merged
    gh pr status | grep -c One
  `)
  const [, ...found] = lists.split("\n")
  expect(found.slice(0, 8)).toEqual(["1", "1", "1", "1,2", "2", "2", "", ""])

  const [one]: ReadonlyArray<Json> = JSON.parse(await run(`gh pr list --json ${fields} --head topic`))
  const shown: Json = JSON.parse(await run(`gh pr view topic --json ${fields}`))
  for (const each of [one, shown]) {
    expect(each).toMatchObject({
      number: 1,
      title: "One",
      state: "OPEN",
      baseRefName: "main",
      headRefName: "topic",
      headRepositoryOwner: { login: owner },
      isCrossRepository: false,
      additions: 1,
      changedFiles: 1,
      files: [{ path: "topic.txt", additions: 1, deletions: 0 }],
      labels: [{ name: "odd" }],
      milestone: { title: "first" },
      reviews: [],
      statusCheckRollup: []
    })
    expect(each.commits.map(({ messageHeadline }: Json) => messageHeadline)).toEqual(["Add topic"])
  }

  const text = await run(`
    gh pr view 1
    gh pr comment 1 --body 'a comment'
    gh pr review 1 --comment --body 'a review'
    gh pr view 1 --comments
    gh pr list --search 'reviewed-by:@me' --json title --jq '"reviewed " + .[].title'
    gh pr diff 1
    gh pr diff 1 --name-only
    gh api --silent -X POST ${repository}/statuses/$(git rev-parse topic) -f state=success -f context=ci
    gh pr checks 1
  `)
  for (const part of ["title:\tOne", "a comment", "a review", "reviewed One", "+topic", "\ntopic.txt\n", "ci\tpass"])
    expect(text).toContain(part)

  await expect(run("gh pr review 1 --approve")).rejects.toThrow(/Can not approve your own pull request/)

  await run(`
    gh pr edit 1 --title Renamed --body Text --remove-label odd --remove-assignee ${owner}
    gh pr ready 2
    gh pr ready 2 --undo
    gh pr ready 2
    gh pr close 2 --comment bye
    gh pr reopen 2
    gh pr lock 2
    gh pr unlock 2
    gh pr checkout 1
    test "$(git branch --show-current)" = topic
    git switch --quiet main
    gh pr merge 1 --squash --delete-branch
    gh pr merge 2 --merge
  `)
  const states = await run(`
    gh pr list --state all --json number,title,body,state,isDraft,mergedBy,labels,assignees
    gh api ${repository}/branches --jq '[.[].name] | join(",")'
    git log --format=%s main
  `)
  const [json = "", branches, ...subjects] = states.trim().split("\n")
  const merged = { state: "MERGED", isDraft: false, mergedBy: { login: owner } }
  expect(JSON.parse(json)).toMatchObject([
    { ...merged, number: 2, title: "Two" },
    { ...merged, number: 1, title: "Renamed", body: "Text", labels: [], assignees: [] }
  ])
  expect(branches).toBe("main,other")
  expect(subjects).toContain("Add topic (#1)")
  expect(subjects).toContain(`Merge pull request #2 from ${owner}/other`)

  const automatic = await run(`
    git switch --quiet --create third main~1
    echo third > main.txt
    git add .
    git commit --quiet --message "Add third"
    git switch --quiet main
    echo fourth > main.txt
    git add .
    git commit --quiet --message "Add fourth"
    gh api --silent -X PATCH ${repository} -F allow_auto_merge=true
    gh pr create --title Three --body Body --head third --base main
    shown() { gh api ${repository}/pulls/3 --jq "$1"; }
    wait_for() {
      for attempt in $(seq 200); do
        if test "$(shown "$1")" = "$2"; then return; fi
        sleep 0.1
      done
      shown .
      return 1
    }
    wait_for .mergeable false
    gh pr merge 3 --auto --squash
    shown .auto_merge.merge_method
    gh pr merge 3 --disable-auto
    shown .auto_merge
    gh pr merge 3 --auto --squash
    gh api --silent -X PUT ${repository}/contents/main.txt -f branch=third -f message=Resolve \\
      -f content=$(echo fourth | base64) -f sha=$(git rev-parse third:main.txt)
    wait_for .merged true
    shown .merged_by.login
  `)
  expect(automatic.trim().split("\n").slice(-3)).toEqual(["squash", "", owner])
  await expect(run("gh pr view 99")).rejects.toThrow(/Could not resolve to a PullRequest with the number of 99/)
})
