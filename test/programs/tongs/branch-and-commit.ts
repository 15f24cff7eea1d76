// A new branch with one commit.
import { createForge } from "@tongs/client"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "", BRANCH: branch = "" } = process.env
await using forge = createForge({ baseUrl, auth, dialect: "github" })
const repository = { owner: "harbor", repo: "hello" }

const main = await forge.gitRefs.get({ ...repository, ref: "heads/main" })
await forge.gitRefs.create({ ...repository, ref: `refs/heads/${branch}`, sha: main.object.sha })
const { commit } = await forge.contents.createOrUpdate({
  ...repository,
  path: "notes/today.md",
  message: "Add a note",
  content: Buffer.from("# Today\n").toString("base64"),
  branch
})
console.log(commit.message, commit.parents?.[0]?.sha === main.object.sha)
