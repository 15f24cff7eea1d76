// Any route of GitHub, with the types of its input and response.
import { createForge, type RouteData } from "@tongs/client"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "" } = process.env
await using forge = createForge({ baseUrl, auth, dialect: "github" })

type Tree = RouteData<"GET /repos/{owner}/{repo}/git/trees/{tree_sha}">
const pathsOf = ({ tree }: Tree) => tree.map(({ path }) => path)

const repository = { owner: "harbor", repo: "hello" }
const { data } = await forge.request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
  ...repository,
  tree_sha: "main",
  recursive: "1"
})
console.log(pathsOf(data).join(" "))
for await (const tag of forge.paginate("GET /repos/{owner}/{repo}/tags", repository)) console.log(tag.name)
