// Acts as an installation of an app. Tokens are renewed, also after one is revoked.
import { createAppAuth } from "@octokit/auth-app"
import { Octokit } from "@octokit/rest"

const { APP_KEY: privateKey = "", FORGE_URL: baseUrl = "" } = process.env
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const create = () =>
  new Octokit({ authStrategy: createAppAuth, auth: { appId: 12, installationId: 7, privateKey }, baseUrl, log })
let octokit = create()

for (const round of [1, 2]) {
  const read = () => octokit.rest.repos.get({ owner: "harbor", repo: "hidden" })
  const { data } = await read().catch((error: { readonly status?: number }) => {
    if (error.status !== 401 && error.status !== 404) throw error
    // The strategy keeps a revoked token until it expires, so a new client is needed.
    octokit = create()
    return read()
  })
  console.log(round, data.full_name, data.private)
  if (round === 1) await octokit.rest.apps.revokeInstallationAccessToken()
}
