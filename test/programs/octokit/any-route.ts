// Any route of GitHub, with the types of its input and response.
import { Octokit, type RestEndpointMethodTypes } from "@octokit/rest"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "" } = process.env
const octokit = new Octokit({ baseUrl, auth })

type Tree = RestEndpointMethodTypes["git"]["getTree"]["response"]["data"]
const pathsOf = ({ tree }: Tree) => tree.map(({ path }) => path)

const repository = { owner: "harbor", repo: "hello" }
const { data } = await octokit.request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
  ...repository,
  tree_sha: "main",
  recursive: "1"
})
console.log(pathsOf(data).join(" "))
for await (const tags of octokit.paginate.iterator("GET /repos/{owner}/{repo}/tags", repository)) {
  for (const tag of tags.data) console.log(tag.name)
}
