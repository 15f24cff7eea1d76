// Acts as an installation of an app. Tokens are renewed, also after one is revoked.
import { app, createForge } from "@tongs/client"

const { APP_KEY: privateKey = "", FORGE_URL: baseUrl = "" } = process.env
await using forge = createForge({ baseUrl, dialect: "github", auth: app({ appId: 12, installation: 7, privateKey }) })

for (const round of [1, 2]) {
  const { full_name, private: isPrivate } = await forge.repositories.get({ owner: "harbor", repo: "hidden" })
  console.log(round, full_name, isPrivate)
  if (round === 1) await forge.installations.revokeAccessToken()
}
