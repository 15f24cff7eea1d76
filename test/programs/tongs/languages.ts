// The languages of an organization, by bytes.
import { createForge } from "@tongs/client"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "" } = process.env
await using forge = createForge({ baseUrl, auth, dialect: "github" })

const totals = new Map<string, number>()
for await (const { name } of forge.repositories.listForOrg({ org: "harbor" }, { perPage: 100 })) {
  const languages = await forge.repositories.listLanguages({ owner: "harbor", repo: name })
  for (const [language, bytes] of Object.entries(languages)) {
    totals.set(language, (totals.get(language) ?? 0) + bytes)
  }
}
for (const [language, bytes] of [...totals].toSorted(([one], [other]) => one.localeCompare(other)))
  console.log(language, bytes)
