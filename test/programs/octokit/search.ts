// Code search with the matches in each file.
import { Octokit } from "@octokit/rest"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "" } = process.env
const octokit = new Octokit({ baseUrl, auth })

const parameters = { q: "lantern repo:harbor/hello", mediaType: { format: "text-match" } }
for await (const { data } of octokit.paginate.iterator(octokit.rest.search.code, parameters)) {
  for (const item of data) {
    for (const { fragment, matches } of item.text_matches ?? []) {
      console.log(item.path, matches?.map(({ text }) => text).join(), fragment?.includes("lantern"))
    }
  }
}
