/** Comments and artifacts with third-party clients. */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { octokitFor } from "./Octokit.test-support.ts"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { temporaryFolder, createCommits, serve } from "./ForgeProcess.test-support.ts"

const owner = userInfo().username
const at = { owner, repo: "long" }

const setUp = async (more: object) => {
  const root = temporaryFolder()
  const path = createCommits(root, 3)
  mkdirSync(join(root, "out"))
  writeFileSync(join(root, "out", "report.txt"), "all is well\n")
  const fixtures = join(root, "fixtures.json")
  writeFileSync(fixtures, JSON.stringify({ repositories: [{ full_name: `${owner}/long`, git: path }], ...more }))
  return { root, octokit: octokitFor(await serve(root, "--dialect", "github", "--fixtures", fixtures)) }
}

it("@octokit/rest pages through comments, and reads all their media types", async () => {
  const comment = (id: number) => ({ repository: `${owner}/long`, user: owner, id, body: `**${id}**` })
  const commit_comments = Array.from({ length: 5 }, (_, index) => comment(index + 1))
  const review_comments = commit_comments.map((one) => ({ ...one, pull_number: 1, path: "a" }))
  const { octokit } = await setUp({ commit_comments, review_comments })
  const { repos, pulls } = octokit.rest

  const all = await octokit.paginate(repos.listCommitCommentsForRepo, { ...at, per_page: 2 })
  expect(all.map(({ author_association, id }) => [id, author_association])).toEqual(
    [1, 2, 3, 4, 5].map((id) => [id, "OWNER"])
  )
  const newest = await pulls.listReviewCommentsForRepo({ ...at, sort: "created", direction: "desc", per_page: 1 })
  expect(newest.data.map(({ id }) => id)).toEqual([5])

  const full = { format: "full" }
  expect((await repos.getCommitComment({ ...at, comment_id: 2, mediaType: full })).data).toMatchObject({
    body: "**2**",
    body_text: "2",
    body_html: "<p><strong>2</strong></p>"
  })
  const changed = await pulls.updateReviewComment({ ...at, comment_id: 3, body: "_new_", mediaType: full })
  expect(changed.data).toMatchObject({ body: "_new_", body_html: "<p><em>new</em></p>" })
  expect((await repos.deleteCommitComment({ ...at, comment_id: 1 })).status).toBe(204)
  await expect(repos.getCommitComment({ ...at, comment_id: 1 })).rejects.toMatchObject({ status: 404 })
})

it.skipIf(!hasPrograms("unzip"))("@octokit/rest downloads an artifact that unzip accepts", async () => {
  const { octokit, root } = await setUp({
    artifacts: [{ repository: `${owner}/long`, name: "report", file: "out", workflow_run: { id: 7 } }]
  })
  const { actions } = octokit.rest
  const { data } = await actions.listWorkflowRunArtifacts({ ...at, run_id: 7, name: "report" })
  const [artifact] = data.artifacts
  expect(artifact).toMatchObject({ name: "report", expired: false, workflow_run: { id: 7, head_branch: "main" } })

  const zip = await actions.downloadArtifact({ ...at, artifact_id: artifact?.id ?? 0, archive_format: "zip" })
  const file = join(root, "report.zip")
  // Declared as unknown: the target of the redirect.
  writeFileSync(file, new Uint8Array(zip.data as ArrayBuffer)) // oxlint-disable-line typescript/no-unsafe-type-assertion -- as above
  expect(execFileSync("unzip", ["-p", file, "report.txt"], { encoding: "utf8" })).toBe("all is well\n")

  expect((await actions.deleteArtifact({ ...at, artifact_id: artifact?.id ?? 0 })).status).toBe(204)
  expect((await actions.listArtifactsForRepo(at)).data.total_count).toBe(0)
})
