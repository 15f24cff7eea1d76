// The languages of an organization, by bytes.
import { Octokit } from "@octokit/rest"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "" } = process.env
const octokit = new Octokit({ baseUrl, auth })

const totals = new Map<string, number>()
const pages = octokit.paginate.iterator(octokit.rest.repos.listForOrg, { org: "harbor", per_page: 100 })
for await (const { data } of pages) {
  for (const { name } of data) {
    const { data: languages } = await octokit.rest.repos.listLanguages({ owner: "harbor", repo: name })
    for (const [language, bytes] of Object.entries(languages)) {
      totals.set(language, (totals.get(language) ?? 0) + bytes)
    }
  }
}
for (const [language, bytes] of [...totals].toSorted(([one], [other]) => one.localeCompare(other)))
  console.log(language, bytes)
