// A new branch with one commit.
import { Octokit } from "@octokit/rest"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "", BRANCH: branch = "" } = process.env
const octokit = new Octokit({ baseUrl, auth })
const repository = { owner: "harbor", repo: "hello" }

const { data: main } = await octokit.rest.git.getRef({ ...repository, ref: "heads/main" })
await octokit.rest.git.createRef({ ...repository, ref: `refs/heads/${branch}`, sha: main.object.sha })
const { data } = await octokit.rest.repos.createOrUpdateFileContents({
  ...repository,
  path: "notes/today.md",
  message: "Add a note",
  content: Buffer.from("# Today\n").toString("base64"),
  branch
})
console.log(data.commit.message, data.commit.parents?.[0]?.sha === main.object.sha)
