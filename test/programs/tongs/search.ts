// Code search with the matches in each file.
import { createForge } from "@tongs/client"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "" } = process.env
await using forge = createForge({ baseUrl, auth, dialect: "github" })

for await (const item of forge.search.code({ q: "lantern repo:harbor/hello" }, { mediaType: "text-match" })) {
  for (const { fragment, matches } of item.text_matches ?? []) {
    console.log(item.path, matches?.map(({ text }) => text).join(), fragment?.includes("lantern"))
  }
}
